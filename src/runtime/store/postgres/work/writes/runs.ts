import type { StatementValues } from "../../params.ts";
import type { Pending, PendingRun } from "../pending.ts";
import { ms } from "./milliseconds.ts";

/** How the partition of a lane is found. */
export type PlaceOf = (lane: string) => number;

/** Runs that began or went on. */
export function runWrites(
  { runs }: Pending,
  params: StatementValues,
  partitionOf: PlaceOf,
): string[] {
  const all = [...runs.values()];
  const row = ({ write, version }: PendingRun) => ({
    seq: write.seq,
    owner: write.owner,
    partition: partitionOf(write.lane),
    account: write.account,
    lane: write.lane,
    revision: write.revision,
    status: write.status,
    waits_for: write.waitsFor ?? null,
    version,
    body: write.body,
    listens: write.listens === true ? 1 : 0,
    slot: write.slot ?? null,
    queues: write.queues === true ? 1 : 0,
  });
  const writes: string[] = [];
  const made = all.filter(({ isNew }) => isNew).map(row);
  if (made.length > 0) {
    const names = Object.keys(RUN_TYPES).join(", ");
    writes.push(
      `INSERT INTO runs (ordinal, ${names})
       SELECT nextval('run_ordinal'), s.* FROM (SELECT ${names} FROM ${params.table("g", RUN_TYPES, made)} ORDER BY ord) AS s`,
    );
  }
  const changed = all.filter(({ isNew }) => !isNew).map(row);
  if (changed.length > 0) {
    const types = {
      seq: "bigint",
      owner: "text",
      status: "text",
      waits_for: "text",
      version: "int",
      body: "text",
      listens: "int",
      queues: "int",
    } as const;
    writes.push(
      `UPDATE runs AS r SET status = g.status, waits_for = g.waits_for, version = g.version, body = g.body,
         listens = g.listens, queues = g.queues
       FROM ${params.table("g", types, changed)} WHERE r.seq = g.seq AND r.owner = g.owner`,
    );
  }
  return writes;
}

/** Timers that were set, moved or dropped. */
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
    one.do === "move" ? [{ id, due_at: ms(one.dueAt) }] : [],
  );
  if (moved.length > 0) {
    const given = params.table("g", { id: "text", due_at: "bigint" }, moved);
    writes.push(`UPDATE timers AS t SET due_at = g.due_at FROM ${given} WHERE t.id = g.id`);
  }
  for (const replace of [false, true]) {
    const put = [...timers.values()].flatMap((one) => {
      if (one.do !== "put" || one.replace !== replace) return [];
      const { id, run, lane, dueAt } = one.timer;
      return [{ id, run, lane, partition: partitionOf(lane), due_at: ms(dueAt) }];
    });
    if (put.length === 0) continue;
    const types = {
      id: "text",
      run: "text",
      lane: "text",
      partition: "int",
      due_at: "bigint",
    } as const;
    const names = Object.keys(types).join(", ");
    writes.push(
      `INSERT INTO timers (${names}) SELECT ${names} FROM ${params.table("g", types, put)} ORDER BY ord
       ON CONFLICT (id) DO ${replace ? "UPDATE SET run = excluded.run, lane = excluded.lane, partition = excluded.partition, due_at = excluded.due_at" : "NOTHING"}`,
    );
  }
  return writes;
}

const RUN_TYPES = {
  seq: "bigint",
  owner: "text",
  partition: "int",
  account: "text",
  lane: "text",
  revision: "text",
  status: "text",
  waits_for: "text",
  version: "int",
  body: "text",
  listens: "int",
  slot: "text",
  queues: "int",
} as const;
