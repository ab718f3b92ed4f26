import { describeAction } from "../actions/actions.ts";
import type { AccountEvent } from "../events/event.ts";
import { handlesIn } from "../events/handles.ts";
import { verdictInWords } from "../rehearsal/verdict-in-words.ts";
import type { Verdict } from "../rules/decide/decision.ts";
import { DRY_RUN } from "../runtime/outbox/dry-run.ts";
import type { Answers } from "../runtime/control/contract.ts";
import type { ItemStatus } from "../runtime/store/item.ts";
import type { KeptVerdicts } from "./decided.ts";
import { type OutboxItem, runInWords } from "./runs.ts";
import type { TraceOutcomeWord } from "./outcomes.ts";
import type { TraceOutcome } from "./trace.ts";
import { counted } from "../text/counted.ts";

/** What an outcome is told from. */
export interface OutcomeEvidence {
  readonly row: Answers["journal"][number];
  /** Absent where what is kept of it can't be read. */
  readonly event?: AccountEvent;
  readonly kept: KeptVerdicts;
  readonly items: readonly OutboxItem[];
  /** How many rules listen to it. */
  readonly listening: number;
  /** What they say, for the sentence; the word is the same without. */
  readonly verdicts?: readonly Verdict[];
}

/** What became of an event, from what is kept of it. Pure. */
export function outcomeOf(evidence: OutcomeEvidence): TraceOutcome {
  const { row, kept } = evidence;
  if (row.state === "open") {
    const [word, tries] =
      row.attempts === 0
        ? ["undecided" as const, ""]
        : ["error" as const, `, tried ${counted(row.attempts, "time")}`];
    return { word, reason: `it is not decided yet${tries}` };
  }
  if (row.state === "dead-lettered") {
    return { word: "error", reason: `it was given up: ${kept.undecided ?? "deciding failed"}` };
  }
  const failed = row.runs.find(({ status }) => status === "failed");
  if (failed !== undefined) {
    return { word: "error", reason: `${nameOf(failed.owner)} ${runInWords(failed)}` };
  }
  return (
    itemOutcome(evidence) ??
    runOutcome(evidence) ??
    (kept.undecided === undefined
      ? silence(evidence)
      : { word: "not-asked", reason: kept.undecided })
  );
}

function handlesOf(event: AccountEvent | undefined): ReadonlyMap<string, string> {
  return handlesIn(event === undefined ? [] : [event]);
}

/** What is worst comes first. */
const OF_ITEM: readonly (readonly [ItemStatus, TraceOutcomeWord, string])[] = [
  ["failed", "error", "was not sent"],
  ["unknown", "error", "may have arrived or not"],
  ["held", "held", "is held back"],
  ["expired", "dropped", "was given up"],
  ["sending", "sending", "is on its way"],
  ["pending", "sending", "waits to be sent"],
];

function itemOutcome({ event, items }: OutcomeEvidence): TraceOutcome | undefined {
  const handles = handlesOf(event);
  for (const [status, word, what] of OF_ITEM) {
    const item = items.find((one) => one.status === status);
    if (item === undefined) continue;
    const why = item.reason === undefined ? "" : `: ${item.reason}`;
    return { word, reason: `it ${what}${why} (${describeAction(item.action, handles)})` };
  }
  return undefined;
}

function runOutcome({ row, event, kept, items }: OutcomeEvidence): TraceOutcome | undefined {
  const open = row.runs.find(({ status }) => status === "waiting" || status === "ready");
  if (open !== undefined) {
    return { word: "waiting", reason: `${nameOf(open.owner)} ${runInWords(open, items)}` };
  }
  const sent = items.filter(({ status }) => status === "sent");
  const [first] = sent;
  if (first !== undefined) {
    const more = sent.length > 1 ? `, and ${sent.length - 1} more` : "";
    const dry = first.reason === DRY_RUN ? " (not sent: the bot runs with --dry-run)" : "";
    return {
      word: "answered",
      reason: `${describeAction(first.action, handlesOf(event))}${more}${dry}`,
    };
  }
  if (kept.takenBy !== undefined) {
    return { word: "taken", reason: `run ${kept.takenBy} took it as an answer` };
  }
  const [run] = row.runs;
  return run && { word: "acted", reason: `${nameOf(run.owner)} ran and sent nothing` };
}

/** Why no rule ran. A rule looks at its cooldown, its limit and its slot only where it matches. */
function silence({ kept, event, listening, verdicts = [] }: OutcomeEvidence): TraceOutcome {
  const { context, read } = kept;
  if (context.paused !== undefined) {
    return { word: "paused", reason: `the bot is silent here by ${context.paused}` };
  }
  const said = (...reasons: readonly Verdict["reason"][]): string | undefined => {
    const found = verdicts.find(({ reason }) => reasons.includes(reason));
    return found && verdictInWords(found);
  };
  const looked = (kind: string): boolean => read.some((key) => key.startsWith(kind));
  if (looked("cooldown/")) {
    return { word: "cooling-down", reason: said("cooldown") ?? "a rule that matches cools down" };
  }
  if (looked("limit/") || looked("slot/")) {
    const why = said("limit", "already-running", "queue-full", "too-many-running");
    return { word: "limited", reason: why ?? "a rule that matches has reached its limit" };
  }
  if (event?.direction === "outbound") return { word: "own", reason: "the account itself did it" };
  if (listening === 0) return { word: "no-rule", reason: "no rule listens to it" };
  const [only] = verdicts;
  const one = verdicts.length === 1 && only !== undefined ? verdictInWords(only) : undefined;
  return {
    word: "no-match",
    reason:
      one ??
      (listening === 1
        ? "the rule that listens to it did not match"
        : `none of the ${listening} rules that listen to it matched`),
  };
}

/** `rule hours`. */
function nameOf(owner: string): string {
  return owner.replace(":", " ");
}
