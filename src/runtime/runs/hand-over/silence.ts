import type { CompiledRule } from "../../../rules/ruleset.ts";
import type { Entry } from "../../store/entry.ts";
import type { Silence } from "../../store/escalation.ts";
import type { StoredRun } from "../../store/run.ts";
import { wholeOf } from "../parallel/branch-owner.ts";
import { endWhole } from "../parallel/whole-run.ts";
import { joined, type Interpretation, type LaneEvent, NOTHING } from "../lane-event.ts";
import { placeOf, writeAt } from "../run-place.ts";

/** After a hand-over, rules and bots are silent, except rules with `interrupts` and the run that handed over. */

/** Returns the silences that have not ended at `now`. */
export function silentNow({ silences = [] }: Pick<LaneEvent, "silences">, now: number): Silence[] {
  return silences.filter(({ until = Infinity }) => until > now);
}

/** Returns the latest hand-over that causes the silence, such as `escalation 12`; undefined without a silence. */
export function pausedBy(silences: readonly Silence[]): string | undefined {
  const latest = silences.at(-1);
  return latest && `escalation ${latest.id}`;
}

/** Returns the reason why a run must stay silent; undefined when it may continue. */
export function silencesRun(
  silences: readonly Silence[],
  { id }: Pick<StoredRun, "id">,
  rule?: Pick<CompiledRule, "interrupts">,
): string | undefined {
  if (rule?.interrupts === true) return undefined;
  return pausedBy(silences.filter(({ run }) => wholeOf(run) !== wholeOf(id)));
}

/** Returns the reason for the end of a run because of a hand-over, such as `escalation 12`. */
export function takenOver(paused: string): string {
  return `a person has taken over: ${paused}`;
}

/** Whether an interpretation (what follows from an event for a run) sends, calls, waits for a time or hands over. */
export function saysMore({ items, effects, timers, escalations }: Interpretation): boolean {
  return items.length + effects.length + timers.length + escalations.length > 0;
}

/**
 * Stops a run at its current step, because a person has taken over.
 *
 * @param others Further open runs to end: the branches of a run, or for a branch its run and the other branches.
 */
export function silenced(
  run: StoredRun,
  entry: Entry,
  paused: string,
  others: readonly StoredRun[] = [],
): Interpretation {
  const state: object = JSON.parse(run.body);
  const reason = takenOver(paused);
  const body = JSON.stringify({ ...state, ended: { outcome: "stopped", reason } });
  const fields = { run: run.id, event: entry.key, reason };
  const own = {
    ...NOTHING,
    runs: [writeAt(placeOf(run, entry), "stopped", body)],
    logs: [{ level: "info" as const, fields, message: "run stopped" }],
  };
  return others.length === 0 ? own : joined([own, endWhole(others, reason)]);
}
