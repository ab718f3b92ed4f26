import { access, constants } from "node:fs/promises";
import type { Settings } from "../../config/settings.ts";
import { askRuntime } from "../../runtime/control/ask.ts";
import type { RuntimeStatus } from "../../runtime/control/server.ts";
import type { StoreStats } from "../../runtime/store/store.ts";
import type { Io } from "../io.ts";
import { dataFolder, has } from "../settings-flags.ts";
import { linkedAccounts } from "../target/target.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";

/** Whether the store's folder can be written, and the tokens in it can be opened. */
export async function storeOf(io: Io, settings: Settings): Promise<Finding> {
  const folder = dataFolder(settings);
  if (!(await has(folder, "."))) {
    return ok("store", `${folder} is made at the first start`);
  }
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    await linkedAccounts(folder, io);
    return ok("store", folder);
  } catch (error) {
    return failed("store", error, `make ${folder} writable for this user`);
  }
}

type Status = RuntimeStatus & { readonly store: StoreStats };

/** Whether the bot runs, and keeps up. */
export async function runtimeOf(
  settings: Settings,
): Promise<{ readonly finding: Finding; readonly status: Status | undefined }> {
  try {
    const status = await askRuntime<Status>(dataFolder(settings), "/status");
    return { status, finding: status === undefined ? notRunning(settings) : runningWell(status) };
  } catch (error) {
    return { status: undefined, finding: failed("bot", error, "start it again") };
  }
}

function notRunning({ target }: Settings): Finding {
  return fail("bot", "it does not run", target === "sandbox" ? "answerback dev" : "answerback run");
}

/** Entries waiting this long mean that deciding is stuck or slow. */
const SLOW_MS = 60_000;

function runningWell({ store, startedAt, now, botFaults }: Status): Finding {
  const waits = store.oldestArrivedAt === undefined ? 0 : Date.parse(now) - store.oldestArrivedAt;
  if (waits > SLOW_MS) {
    const told = `${store.inbox} event(s) wait, the oldest for ${Math.round(waits / 1_000)} s`;
    return warn("bot", told, "answerback logs --level warn");
  }
  if (store.items.unknown > 0) {
    const told = `${store.items.unknown} answer(s) left, and nobody knows whether they arrived`;
    return warn("bot", told, "answerback outbox --status unknown");
  }
  if (botFaults.length > 0) {
    return warn(
      "bot",
      `${botFaults.length} bot module(s) could not be loaded`,
      "answerback status --json",
    );
  }
  return ok("bot", `runs since ${startedAt}, nothing waits`);
}
