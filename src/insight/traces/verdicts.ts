import type { AccountEvent } from "../../events/event.ts";
import { verdictInWords } from "../words/verdict.ts";
import { type Verdict, type VerdictReason, explain, isTriggered } from "../../rules/decide.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { type DecidedCount, interruptsOf, reachedBy } from "../../runtime/runs.ts";
import type { KeptVerdicts } from "./decided.ts";
import { notStarted } from "../words/not-started.ts";
import { RulePlaces } from "./rule-places.ts";
import type { TraceVerdict } from "./trace.ts";

/** Parts of a stored decision from which its verdicts are computed again. */
type VerdictInputs = Pick<KeptVerdicts, "takenBy" | "context" | "counts">;

/** Verdict of a rule, with the event on which it was judged: the decided event, or a count that this event raised. */
export interface JudgedVerdict {
  readonly verdict: Verdict;
  readonly event: AccountEvent;
}

/**
 * Evaluates the rules again for a decided event. If a run took the event as an answer, only rules that may interrupt a
 * question are evaluated. Also evaluates the rules that listen to a number which a count has reached by the event.
 *
 * @returns Verdicts, one for each rule. If the event and its counts concern a rule several times, a run comes first.
 */
export function judgedOn(
  event: AccountEvent,
  ruleset: Ruleset,
  { takenBy, context, counts }: VerdictInputs,
): readonly JudgedVerdict[] {
  const rules = takenBy === undefined ? ruleset : interruptsOf(ruleset);
  const own = explain(event, rules, context).map((verdict) => ({ verdict, event }));
  const judged = new Map(own.map((one) => [one.verdict.ruleId, one]));
  for (const one of counts.flatMap((count) => judgedOnCount(event, ruleset, count))) {
    const { ruleId, outcome } = one.verdict;
    const earlier = judged.get(ruleId)?.verdict.outcome;
    if (earlier === undefined || RANK[outcome] < RANK[earlier]) judged.set(ruleId, one);
  }
  return [...judged.values()];
}

/** Outcomes, the most informative first. */
const RANK: Readonly<Record<Verdict["outcome"], number>> = { ran: 0, skipped: 1, no: 2 };

function judgedOnCount(
  counted: AccountEvent,
  ruleset: Ruleset,
  { count, now, username, paused, read = {} }: DecidedCount,
): readonly JudgedVerdict[] {
  const event = reachedBy(counted, count);
  const values = new Map(Object.entries(read));
  const context = {
    now,
    username,
    read: (key: string) => values.get(key),
    ...(paused !== undefined && { paused }),
  };
  return explain(event, ruleset, context).flatMap((verdict) => {
    const rule = ruleset.byId.get(verdict.ruleId);
    return rule !== undefined && isTriggered(rule, event, now) ? [{ verdict, event }] : [];
  });
}

/** Returns the verdicts of {@link judgedOn}. */
export function verdictsOn(
  event: AccountEvent,
  ruleset: Ruleset,
  decision: VerdictInputs,
): readonly Verdict[] {
  return judgedOn(event, ruleset, decision).map(({ verdict }) => verdict);
}

/** Returns the verdicts of {@link verdictsOn}, each with a sentence and the place in the rule file that decided it. */
export function placedVerdicts(
  event: AccountEvent,
  ruleset: Ruleset,
  decision: VerdictInputs & Pick<KeptVerdicts, "undecided" | "revision" | "ran">,
): readonly TraceVerdict[] {
  return judgedOn(event, ruleset, decision).map((one) => {
    const [missed] = notStarted(event, [one], decision, ruleset);
    return placed(one.verdict, ruleset, decision.undecided ?? missed);
  });
}

/** Key of the rule file to show for a rule that was blocked without evaluating a clause, by the reason of the block. */
const KEY_OF: Readonly<Partial<Record<VerdictReason, string>>> = {
  disabled: "enabled",
  "stage-draft": "stage",
  "stage-shadow": "stage",
  replayed: "on_replay",
  "own-event": "triggers",
  "not-own-event": "triggers",
};

function placed(
  { clause, ...verdict }: Verdict,
  ruleset: Ruleset,
  undecided: string | undefined,
): TraceVerdict {
  const { ruleId, file, line, reason } = verdict;
  const rule = ruleset.byId.get(ruleId);
  const where = clause?.path ?? KEY_OF[reason] ?? "";
  const at = rule
    ? new RulePlaces(rule).spotOf(where)
    : { file, line, column: 1, length: 1, sourceLine: undefined };
  return {
    ...verdict,
    ...(clause !== undefined && { clause }),
    inWords: verdictInWords({ ...verdict, ...(clause !== undefined && { clause }) }, undecided),
    at,
  };
}
