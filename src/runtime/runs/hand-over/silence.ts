import type { CompiledRule } from "../../../rules/ruleset.ts";
import type { Entry } from "../../store/entry.ts";
import type { Silence } from "../../store/escalation.ts";
import type { StoredRun } from "../../store/run.ts";
import { wholeOf } from "../parallel/branch-owner.ts";
import { endWhole } from "../parallel/whole-run.ts";
import { joined, type Interpretation, type LaneEvent, NOTHING } from "../lane-event.ts";
import { placeOf, writeAt } from "../run-place.ts";

/** Where a person has taken over: rules and bots are silent, but for rules that interrupt and for who said so. */

/** The silences that are not over at `now`. */
export function silentNow({ silences = [] }: Pick<LaneEvent, "silences">, now: number): Silence[] {
  return silences.filter(({ until = Infinity }) => until > now);
}

/** Why nothing is said: `escalation 12`; undefined where nobody is silent. */
export function pausedBy(silences: readonly Silence[]): string | undefined {
  const latest = silences.at(-1);
  return latest && `escalation ${latest.id}`;
}

/** What keeps a run from saying more; undefined where nothing does. */
export function silencesRun(
  silences: readonly Silence[],
  { id }: Pick<StoredRun, "id">,
  rule?: Pick<CompiledRule, "interrupts">,
): string | undefined {
  if (rule?.interrupts === true) return undefined;
  return pausedBy(silences.filter(({ run }) => wholeOf(run) !== wholeOf(id)));
}

/** Whether what follows reaches anybody, or waits to. */
export function saysMore({ items, effects, timers, escalations }: Interpretation): boolean {
  return items.length + effects.length + timers.length + escalations.length > 0;
}

/**
 * The run ends where it is: a person has taken over.
 *
 * @param others Runs that belong together with it, and end, too.
 */
export function silenced(
  run: StoredRun,
  entry: Entry,
  paused: string,
  others: readonly StoredRun[] = [],
): Interpretation {
  const kept: object = JSON.parse(run.body);
  const reason = `a person has taken over: ${paused}`;
  const body = JSON.stringify({ ...kept, ended: { outcome: "stopped", reason } });
  const fields = { run: run.id, event: entry.key, reason };
  const own = {
    ...NOTHING,
    runs: [writeAt(placeOf(run, entry), "stopped", body)],
    logs: [{ level: "info" as const, fields, message: "run stopped" }],
  };
  return others.length === 0 ? own : joined([own, endWhole(others, reason)]);
}
