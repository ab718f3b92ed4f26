import { type JournalRun, keptRun, type OutboxItem, ruleOf } from "../../kept-run.ts";
import { shell } from "../../../text/shell.ts";
import { labelIn } from "../runs.ts";
import { failureInWords, ownerInWords, waitInWords, timeInWords } from "../../words/run.ts";
import type { TraceOutcome } from "../trace.ts";
import { isDropped, refusalExplained } from "./item-outcome.ts";
import { look, sendAgain, type TraceRepair } from "./repair.ts";

/**
 * Returns the outcome of the first failed run; undefined if none failed. Also undefined if the run failed because its
 * outbox item expired or was dropped by an operator: the caller then reports the item's outcome.
 */
export function failedRunOutcome(
  runs: readonly JournalRun[],
  items: readonly OutboxItem[],
): TraceOutcome | undefined {
  const failed = runs.find(({ status }) => status === "failed");
  if (failed === undefined) return undefined;
  const failure = failureInWords(failed);
  const item = items.find((one) => hasFailedWith(failed, one));
  if (item !== undefined && (item.status === "expired" || isDropped(item))) return undefined;
  return {
    word: "error",
    reason: `${ownerInWords(failed)} ${failure}${item === undefined ? "" : refusalExplained(failure)}`,
    repair: item === undefined ? see(failed) : sendAgain(item.id),
  };
}

/** Returns whether a rule's run failed because this outbox item was not sent. */
function hasFailedWith(run: JournalRun, { key, status }: OutboxItem): boolean {
  if (ruleOf(run) === undefined || (status !== "failed" && status !== "expired")) return false;
  const label = labelIn(key, run.id);
  return label !== undefined && keptRun(run).ended?.reason.startsWith(`${label}:`) === true;
}

/** Returns the outcome of the first unfinished run. */
export function openRunOutcome(
  runs: readonly JournalRun[],
  items: readonly OutboxItem[],
  now: number | undefined,
): TraceOutcome | undefined {
  const run = runs.find(({ status }) => status === "waiting" || status === "ready");
  if (run === undefined) return undefined;
  const until = run.waitsUntil === undefined ? "" : ` until ${timeInWords(run.waitsUntil, now)}`;
  const what = run.status === "ready" ? "is still at work" : `${waitInWords(run, items)}${until}`;
  return { word: "waiting", reason: `${ownerInWords(run)} ${what}`, repair: see(run) };
}

function see({ id }: JournalRun): TraceRepair {
  return look(shell`answerback trace ${id}`);
}
