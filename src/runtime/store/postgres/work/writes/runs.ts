import { assigned, only, rowOf, without } from "../../../tables/columns.ts";
import { RUNS, TIMERS } from "../../../tables/tables.ts";
import type { StatementValues } from "../../params.ts";
import type { Pending, PendingRun } from "../pending.ts";

/** Returns the number of a lane's partition. */
export type PlaceOf = (lane: string) => number;

/** Writes runs that were started or changed. */
export function runWrites(
  { runs }: Pending,
  params: StatementValues,
  partitionOf: PlaceOf,
): string[] {
  const all = [...runs.values()];
  const row = ({ write, version }: PendingRun) =>
    rowOf(NEW_RUN, { ...write, version, partition: partitionOf(write.lane) });
  const writes: string[] = [];
  const added = all.filter(({ isNew }) => isNew).map(row);
  if (added.length > 0) {
    const computed = { ordinal: "nextval('run_ordinal')" };
    writes.push(params.insert("runs", NEW_RUN, added, { computed }));
  }
  const changed = all.filter(({ isNew }) => !isNew).map(row);
  if (changed.length > 0) {
    writes.push(
      `UPDATE runs AS r SET ${assigned(RUNS.changing, "g")} FROM ${params.rows(RUNS.updated, changed)}
       WHERE r.seq = g.seq AND r.owner = g.owner`,
    );
  }
  return writes;
}

const NEW_RUN = without(RUNS.postgres, "ordinal");

/** Writes timers that were set, moved or dropped. */
export function timerWrites(
  { timers }: Pending,
  params: StatementValues,
  partitionOf: PlaceOf,
): string[] {
  const writes: string[] = [];
  const dropped = [...timers].flatMap(([id, one]) => (one.do === "drop" ? [id] : []));
  if (dropped.length > 0) {
    writes.push(`DELETE FROM timers WHERE id = ANY (${params.add(dropped, "text[]")})`);
  }
  const moved = [...timers].flatMap(([id, one]) =>
    one.do === "move" ? [{ id, due_at: one.dueAt }] : [],
  );
  if (moved.length > 0) {
    const table = params.rows(only(TIMERS, "id", "due_at"), moved);
    writes.push(`UPDATE timers AS t SET due_at = g.due_at FROM ${table} WHERE t.id = g.id`);
  }
  for (const replace of [false, true]) {
    const rows = [...timers.values()].flatMap((one) =>
      one.do === "put" && one.replace === replace
        ? [rowOf(TIMERS.postgres, { ...one.timer, partition: partitionOf(one.timer.lane) })]
        : [],
    );
    if (rows.length === 0) continue;
    const action = replace ? `UPDATE SET ${assigned(without(TIMERS.postgres, "id"))}` : "NOTHING";
    const conflict = `ON CONFLICT (id) DO ${action}`;
    writes.push(params.insert("timers", TIMERS.postgres, rows, { conflict }));
  }
  return writes;
}
