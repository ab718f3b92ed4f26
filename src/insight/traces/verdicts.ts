import type { AccountEvent } from "../../events/event.ts";
import { verdictInWords } from "../words/verdict.ts";
import type { Verdict, VerdictReason } from "../../rules/decide/decision.ts";
import { type DecideContext, explain } from "../../rules/decide/decide.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { interruptsOf } from "../../runtime/runs/listeners.ts";
import type { KeptVerdicts } from "./decided.ts";
import { RulePlaces } from "./rule-places.ts";
import type { TraceVerdict } from "./trace.ts";

/** What rules say of an event that was decided on: where a run took it as an answer, those that interrupt. */
export function verdictsOn(
  event: AccountEvent,
  ruleset: Ruleset,
  { takenBy, context }: Pick<KeptVerdicts, "takenBy" | "context">,
): readonly Verdict[] {
  return explain(event, takenBy === undefined ? ruleset : interruptsOf(ruleset), context);
}

/** The same with the places of the clauses. */
export function placedVerdicts(
  event: AccountEvent,
  ruleset: Ruleset,
  kept: { readonly takenBy: string | undefined; readonly context: DecideContext },
): readonly TraceVerdict[] {
  return verdictsOn(event, ruleset, kept).map((verdict) => placed(verdict, ruleset));
}

/** Keys that keep a rule back and are no clause. */
const KEY_OF: Readonly<Partial<Record<VerdictReason, string>>> = {
  disabled: "enabled",
  "stage-draft": "stage",
  "stage-shadow": "stage",
  replayed: "on_replay",
  "own-event": "triggers",
  "not-own-event": "triggers",
};

function placed({ clause, ...verdict }: Verdict, ruleset: Ruleset): TraceVerdict {
  const { ruleId, file, line, reason } = verdict;
  const rule = ruleset.byId.get(ruleId);
  const where = clause?.path ?? KEY_OF[reason] ?? "";
  const at = rule
    ? new RulePlaces(rule).spotOf(where)
    : { file, line, column: 1, length: 1, sourceLine: undefined };
  return {
    ...verdict,
    ...(clause !== undefined && { clause }),
    inWords: verdictInWords({ ...verdict, ...(clause !== undefined && { clause }) }),
    at,
  };
}
