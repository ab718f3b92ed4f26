import type { AccountEvent } from "../../events/event.ts";
import { verdictInWords } from "../words/verdict.ts";
import { type Verdict, type VerdictReason, explain } from "../../rules/decide.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { interruptsOf } from "../../runtime/runs.ts";
import type { KeptVerdicts } from "./decided.ts";
import { RulePlaces } from "./rule-places.ts";
import type { TraceVerdict } from "./trace.ts";

/**
 * Evaluates the rules again for a decided event. If a run took the event as an answer, only rules that may interrupt a
 * question are evaluated.
 */
export function verdictsOn(
  event: AccountEvent,
  ruleset: Ruleset,
  { takenBy, context }: Pick<KeptVerdicts, "takenBy" | "context">,
): readonly Verdict[] {
  return explain(event, takenBy === undefined ? ruleset : interruptsOf(ruleset), context);
}

/** Returns the verdicts of {@link verdictsOn}, each with a sentence and the place in the rule file that decided it. */
export function placedVerdicts(
  event: AccountEvent,
  ruleset: Ruleset,
  decision: Pick<KeptVerdicts, "takenBy" | "context" | "undecided">,
): readonly TraceVerdict[] {
  return verdictsOn(event, ruleset, decision).map((verdict) =>
    placed(verdict, ruleset, decision.undecided),
  );
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
