import type { CompiledRule } from "../../../rules/ruleset.ts";
import type { Entry } from "../../store/entry.ts";
import type { Silence } from "../../store/escalation.ts";
import type { StoredRun } from "../../store/run.ts";
import { wholeOf } from "../parallel/branch-owner.ts";
import { endWhole } from "../parallel/whole-run.ts";
import { joined, type Interpretation, type LaneEvent, NOTHING } from "../lane-event.ts";
import { placeOf, writeAt } from "../run-place.ts";

/** Silences of rules and bots after a hand-over. Rules that interrupt and the run that handed over are exempt. */

/** Returns the silences that have not ended at `now`. */
export function silentNow({ silences = [] }: Pick<LaneEvent, "silences">, now: number): Silence[] {
  return silences.filter(({ until = Infinity }) => until > now);
}

/** Returns the reason for a pause, such as `escalation 12`; undefined without a silence. */
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

/** Whether an interpretation sends, calls, waits for a time or hands over. */
export function saysMore({ items, effects, timers, escalations }: Interpretation): boolean {
  return items.length + effects.length + timers.length + escalations.length > 0;
}

/**
 * Stops a run at its current step, because a person has taken over.
 *
 * @param others Other open runs that end, too. For a run with branches: its branches. For a branch: the other branches,
 * and the run that they belong to.
 */
export function silenced(
  run: StoredRun,
  entry: Entry,
  paused: string,
  others: readonly StoredRun[] = [],
): Interpretation {
  const state: object = JSON.parse(run.body);
  const reason = `a person has taken over: ${paused}`;
  const body = JSON.stringify({ ...state, ended: { outcome: "stopped", reason } });
  const fields = { run: run.id, event: entry.key, reason };
  const own = {
    ...NOTHING,
    runs: [writeAt(placeOf(run, entry), "stopped", body)],
    logs: [{ level: "info" as const, fields, message: "run stopped" }],
  };
  return others.length === 0 ? own : joined([own, endWhole(others, reason)]);
}
