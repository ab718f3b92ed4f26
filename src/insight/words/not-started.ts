import type { AccountEvent } from "../../events/event.ts";
import type { Verdict } from "../../rules/decide.ts";
import type { Ruleset } from "../../rules/ruleset.ts";

/** Decision on an event: the revision of the rules, and the ids of the rules that ran. Absent: no rules decided. */
interface Decided {
  readonly revision?: string | undefined;
  readonly ran?: readonly string[];
}

/**
 * Returns the ids of the rules that match `event` by their verdicts, but that the decision with the same rules did not
 * start. Rules that a count starts are omitted: the run may have raised the count after the decision.
 */
export function notStarted(
  event: AccountEvent,
  judged: readonly { readonly verdict: Verdict; readonly event: AccountEvent }[],
  { revision, ran }: Decided,
  ruleset: Ruleset,
): readonly string[] {
  if (revision !== ruleset.revision) return [];
  const own = judged.filter((one) => one.event === event && one.verdict.outcome === "ran");
  return own.map(({ verdict }) => verdict.ruleId).filter((id) => ran?.includes(id) === false);
}
