import { messageOf } from "../../system/error-message.ts";
import { parentOf, proveWritable } from "./writable-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { callRuntime } from "../../runtime/calls.ts";
import { StoreError } from "../../runtime/records.ts";
import { openStore, writtenStats } from "../../runtime/stores.ts";
import type { RuntimeStatus, ServerRisk } from "../../runtime/vocabulary.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";
import type { Io } from "../io.ts";
import { dataFolder, exists } from "../arguments/settings-flags.ts";
import { linkedAccounts } from "../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";
import { shell } from "../../text/shell.ts";

/** Checks whether the store's folder is writable and the accounts' tokens can be decrypted. */
export async function checkStore(io: Io, settings: Settings): Promise<Finding> {
  const { url } = settings.store;
  if (isPostgresUrl(url)) return checkDatabase(url, settings);
  const folder = dataFolder(settings);
  const isThere = await exists(folder, ".");
  try {
    await proveWritable(isThere ? folder : await parentOf(folder));
  } catch (error) {
    const fix = `make room for ${folder}, and let this user write there`;
    return fail("store", `${folder} takes no files: ${messageOf(error)}`, fix);
  }
  if (!isThere) return ok("store", `${folder} is created at the first start`);
  try {
    await linkedAccounts(settings, io);
    const hasStore = await exists(folder, "store.db");
    return ok("store", hasStore ? `${folder}${await writerOf(settings)}` : folder);
  } catch (error) {
    // The store is locked by a running bot, which has checked the store at its start.
    if (error instanceof StoreError && error.code === "store-locked") return ok("store", folder);
    return failed("store", error, `make ${folder} readable for this user`);
  }
}

/** Reads a store. @returns Text with the version of Answerback that last wrote the store; empty if unknown. */
async function writerOf(
  { store: { url }, postgres }: Settings,
  onRisk?: (risk: ServerRisk) => void,
): Promise<string> {
  const store = await openStore(url, { readOnly: true, postgres: { ...postgres, onRisk } });
  try {
    const { writtenBy } = await writtenStats(store);
    return writtenBy === undefined ? "" : `, last written by Answerback ${writtenBy}`;
  } finally {
    await store.close();
  }
}

/** Whether the database exists, is readable as a store, and survives a crash of its machine. */
async function checkDatabase(url: string, settings: Settings): Promise<Finding> {
  const risks: ServerRisk[] = [];
  try {
    const writer = await writerOf(settings, (risk) => void risks.push(risk));
    const [risk] = risks;
    if (risk === undefined) return ok("store", `${shownUrl(url)}${writer}`);
    const { isRefused, message, hint } = risk;
    return isRefused ? fail("store", message, hint) : warn("store", message, hint);
  } catch (error) {
    return failed("store", error, `see whether it answers: ${shell`psql ${shownUrl(url)}`}`);
  }
}

/** Findings from the running bot's own status. */
export async function checkRuntime(settings: Settings): Promise<{
  readonly findings: readonly Finding[];
  readonly status: RuntimeStatus | undefined;
}> {
  try {
    const status = await callRuntime(dataFolder(settings), "status", {});
    if (status === undefined) return { status, findings: [notRunning(settings)] };
    const reported = reportedTroubles(status, settings);
    const well = runningWell(status);
    const isWell = well.state === "ok";
    return { status, findings: isWell && reported.length > 0 ? reported : [...reported, well] };
  } catch (error) {
    return { status: undefined, findings: [failed("bot", error, "start it again")] };
  }
}

/** Problems that the running bot reports, then accounts for which the bot can't work. */
function reportedTroubles(
  { missing, accounts, otherInstances = [] }: RuntimeStatus,
  settings: Settings,
): readonly Finding[] {
  const others = otherInstances.map(({ account, username, reason, holdsBack }) => {
    const whose = `another instance answers for @${username ?? account}: ${reason}`;
    return holdsBack
      ? fail(
          "bot",
          `${whose}; this instance sends nothing for the account`,
          "stop one of the two, then: answerback resume",
        )
      : warn("bot", whose, "stop one of the two");
  });
  const parts = missing.map(({ part, reason }) => {
    const [what = reason, fix] = reason.split("; fix: ");
    const mending = fix === undefined ? fixOf(part, settings) : fix;
    return fail("bot", `not ready: ${part}: ${what}`, mending);
  });
  if (missing.some(({ part }) => part === "accounts")) return [...others, ...parts];
  const idle = accounts.flatMap(({ username, reason, fix = "answerback logs --level warn" }) =>
    reason === undefined ? [] : [warn("bot", `@${username} does not work: ${reason}`, fix)],
  );
  return [...others, ...parts, ...idle];
}

/** Fix for a failed part of the bot that reports no fix itself. */
function fixOf(part: string, settings: Settings): string {
  if (part !== "store") return "answerback logs --level warn";
  return `free disk space for ${dataFolder(settings)}, and give this user write access`;
}

function notRunning({ target }: Settings): Finding {
  return fail(
    "bot",
    "it is not running",
    target === "sandbox" ? "answerback dev" : "answerback run",
  );
}

/** Age in milliseconds of the oldest waiting journal entry from which decisions count as stuck or slow. */
const SLOW_MS = 60_000;

function runningWell(status: RuntimeStatus): Finding {
  const { store, startedAt, now, botFaults, paused, held } = status;
  if (paused.length > 0) {
    const all = paused.some(({ account }) => account === undefined);
    const whose = all ? "all accounts are" : `${paused.length} account(s) are`;
    return warn("bot", `${whose} paused; ${store.paused} event(s) wait`, "answerback resume");
  }
  const waits = store.oldestArrivedAt === undefined ? 0 : Date.parse(now) - store.oldestArrivedAt;
  if (waits > SLOW_MS) {
    const message = `${store.inbox} event(s) wait, the oldest for ${Math.round(waits / 1_000)} s`;
    return warn("bot", message, "answerback logs --level warn");
  }
  const [first] = held;
  if (first !== undefined) {
    const { person, username = person, reason } = first;
    const answers = held.reduce((sum, { items }) => sum + items, 0);
    const message = `${answers} answer(s) to ${held.length} person(s) are held back: ${reason}`;
    return warn("bot", message, shell`answerback resume --person ${username}`);
  }
  if (store.items.unknown > 0) {
    const message = `the outcome of ${store.items.unknown} answer(s) is unknown`;
    return warn("bot", message, "answerback outbox --status unknown");
  }
  if (botFaults.length > 0) {
    return warn(
      "bot",
      `${botFaults.length} bot module(s) could not be loaded: ${botFaults[0]?.split("\n", 1)[0]}`,
      "answerback status --json",
    );
  }
  return ok("bot", `running since ${startedAt}, no event is overdue`);
}
