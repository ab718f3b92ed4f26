import { callRuntime } from "../../runtime/calls.ts";
import type { Settings } from "../../config/settings.ts";
import type { RuntimeStatus } from "../../runtime/vocabulary.ts";
import { counted } from "../../text/counted.ts";
import { shell } from "../../text/shell.ts";
import { dataFolder } from "../arguments/settings-flags.ts";
import type { OutboxItem } from "../../insight/kept-run.ts";
import { isOnPurpose } from "../verify/compare.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";

/** Findings from the running bot's own status. */
export async function checkRuntime(settings: Settings): Promise<{
  readonly findings: readonly Finding[];
  readonly status: RuntimeStatus | undefined;
}> {
  try {
    const status = await callRuntime(dataFolder(settings), "status", {});
    if (status === undefined) return { status, findings: [notRunning(settings)] };
    const { failed: count } = status.store.items;
    const query = { status: "failed", limit: MAX_FAILED } as const;
    const items = count === 0 ? [] : await callRuntime(dataFolder(settings), "outbox", query);
    return { status, findings: findingsOfStatus(status, settings, items) };
  } catch (error) {
    return { status: undefined, findings: [failed("bot", error, "start it again")] };
  }
}

/**
 * All problems in the status of a running bot; a single finding without a problem if there are none. Pure.
 *
 * @param failedItems Failed actions, newest first.
 */
export function findingsOfStatus(
  status: RuntimeStatus,
  settings: Settings,
  failedItems: readonly FailedItem[] = [],
): readonly Finding[] {
  const troubles = [
    ...reportedTroubles(status, settings),
    ...answeringTroubles(status),
    ...failures(failedItems, Date.parse(status.now)),
    ...botTroubles(status),
  ];
  const well = ok("bot", `running since ${status.startedAt}, no event is overdue`);
  return troubles.length > 0 ? troubles : [well];
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

/** Reasons why events or answers wait, or are not answered at all. */
function answeringTroubles(status: RuntimeStatus): readonly Finding[] {
  const { store, silenced = [], givenUp } = status;
  const silences = silenced.map(({ username, escalation, until = "it is resolved" }) =>
    warn(
      "bot",
      `@${username} is silent for everybody until ${until}, by escalation ${escalation}`,
      shell`answerback escalations resolve ${escalation}`,
    ),
  );
  const crashes = givenUp.map(({ seq, reason }) =>
    warn("bot", `event ${seq} is given up: ${reason}`, shell`answerback why ${seq}`),
  );
  return [
    ...delays(status),
    ...silences,
    ...heldBack(status),
    ...unknownOutcomes(store.items.unknown),
    ...crashes,
  ];
}

/** A pause or a backlog. Paused events wait too, so that a pause explains the backlog. */
function delays({ store, now, paused }: RuntimeStatus): readonly Finding[] {
  if (paused.length > 0) {
    const all = paused.some(({ account }) => account === undefined);
    const whose = all ? "all accounts are" : `${paused.length} account(s) are`;
    const message = `${whose} paused; ${store.paused} event(s) wait`;
    return [warn("bot", message, "answerback resume")];
  }
  const waits = store.oldestArrivedAt === undefined ? 0 : Date.parse(now) - store.oldestArrivedAt;
  if (waits <= SLOW_MS) return [];
  const message = `${store.inbox} event(s) wait, the oldest for ${Math.round(waits / 1_000)} s`;
  return [warn("bot", message, "answerback logs --level warn")];
}

function heldBack({ held }: RuntimeStatus): readonly Finding[] {
  const [first] = held;
  if (first === undefined) return [];
  const { person, username = person, reason } = first;
  const answers = held.reduce((sum, { items }) => sum + items, 0);
  const message = `${answers} answer(s) to ${held.length} person(s) are held back: ${reason}`;
  return [warn("bot", message, shell`answerback resume --person ${username}`)];
}

function unknownOutcomes(count: number): readonly Finding[] {
  if (count === 0) return [];
  const message = `the outcome of ${count} answer(s) is unknown`;
  return [warn("bot", message, "answerback outbox --status unknown")];
}

/** Failed action in the outbox. `settledAt`: milliseconds since the epoch. */
type FailedItem = Pick<OutboxItem, "settledAt" | "reason">;

/** Maximum number of failed actions to read. */
const MAX_FAILED = 1_000;
const DAY_MS = 24 * 60 * 60_000;

/** Actions that failed within a day. Omits those that failed on purpose, as after an opt-out. */
function failures(items: readonly FailedItem[], now: number): readonly Finding[] {
  const recent = items.filter(
    ({ settledAt = 0, reason }) => settledAt > now - DAY_MS && !isOnPurpose(reason),
  );
  const [latest] = recent;
  if (latest === undefined) return [];
  const message = `${counted(recent.length, "answer")} failed within a day, the latest: ${latest.reason}`;
  return [warn("bot", message, "answerback outbox --status failed")];
}

/**
 * Errors in bots, and bot modules that are not loaded. The other bots and the rules continue, so most are warnings. A
 * suspended bot answers no event, so it is a failure.
 */
function botTroubles({ bots, botFaults }: RuntimeStatus): readonly Finding[] {
  const log = "answerback logs --level warn";
  const faults = bots.flatMap(({ name, trouble }) => {
    if (trouble === undefined) return [];
    const { latest, place, at, asideUntil } = trouble;
    const where = place === undefined ? "" : ` (${place})`;
    const what = `${counted(trouble.faults, "fault")}, the latest at ${at}: ${latest}${where}`;
    return asideUntil === undefined
      ? [warn("bot", `the bot ${name} has ${what}`, log)]
      : [fail("bot", `the bot ${name} is not called until ${asideUntil}; ${what}`, log)];
  });
  const waiting = bots.flatMap(({ name, waits }) =>
    waits === true ? [warn("bot", `the bot ${name} is not loaded; its events wait`, log)] : [],
  );
  const [first] = botFaults;
  if (first === undefined) return [...faults, ...waiting];
  const reason = first.split("\n", 1)[0];
  const message = `${botFaults.length} bot module(s) could not be loaded: ${reason}`;
  return [...faults, ...waiting, warn("bot", message, "answerback status --json")];
}
