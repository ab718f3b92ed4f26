import type { Action } from "../../../actions/actions.ts";
import type { Entry, EntrySource } from "../entry.ts";
import type { Item, ItemStatus } from "../item.ts";
import { runId, type RunStatus, type StoredRun } from "../run.ts";

export const ENTRY_COLUMNS = "seq, key, account, lane, kind, at, arrived_at, source, body";

export interface EntryRow {
  readonly seq: number;
  readonly key: string;
  readonly account: string;
  readonly lane: string;
  readonly kind: string;
  readonly at: number;
  readonly arrived_at: number;
  readonly source: EntrySource;
  readonly body: string;
}

export function toEntry(row: EntryRow, partition: number): Entry {
  const { seq, key, account, lane, kind, at, source, body } = row;
  return { seq, partition, key, account, lane, kind, at, arrivedAt: row.arrived_at, source, body };
}

export const ITEM_COLUMNS =
  "id, key, run, seq, account, lane, action, status, attempts, not_before, expires_at, started_at, settled_at, platform_id, reason, priority";

export interface ItemRow {
  readonly id: number;
  readonly key: string;
  readonly run: string;
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  readonly action: string;
  readonly status: ItemStatus;
  readonly attempts: number;
  readonly not_before: number;
  readonly expires_at: number | null;
  readonly started_at: number | null;
  readonly settled_at: number | null;
  readonly platform_id: string | null;
  readonly reason: string | null;
  readonly priority: number;
}

export function toItem(row: ItemRow, partition: number): Item {
  const { id, key, run, seq, account, lane, status, attempts } = row;
  return {
    id,
    key,
    run,
    seq,
    account,
    lane,
    partition,
    status,
    attempts,
    action: JSON.parse(row.action) as Action,
    notBefore: row.not_before,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.started_at !== null && { startedAt: row.started_at }),
    ...(row.settled_at !== null && { settledAt: row.settled_at }),
    ...(row.platform_id !== null && { platformId: row.platform_id }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.priority !== 0 && { priority: row.priority }),
  };
}

export const RUN_COLUMNS =
  "ordinal, seq, owner, account, lane, revision, status, waits_for, version, body, listens, slot, queues";

/** The run `r` that the row `w` of the open work stands for: what is before and behind the slash of its id. */
export const RUN_OF_WORK =
  "r.seq = CAST(w.run AS INTEGER) AND r.owner = substr(w.run, instr(w.run, '/') + 1)";

export interface RunRow {
  readonly ordinal: number;
  readonly seq: number;
  readonly owner: string;
  readonly account: string;
  readonly lane: string;
  readonly revision: string;
  readonly status: RunStatus;
  readonly waits_for: string | null;
  readonly version: number;
  readonly body: string;
  readonly listens: number;
  readonly slot: string | null;
  readonly queues: number;
}

export function toRun(row: RunRow, partition: number): StoredRun {
  const { seq, owner, account, lane, revision, status, version, body } = row;
  const id = runId(seq, owner);
  const run = { id, seq, owner, account, lane, partition, revision, status, version, body };
  return {
    ...run,
    ...(row.waits_for !== null && { waitsFor: row.waits_for }),
    ...(row.listens === 1 && { listens: true }),
    ...(row.slot !== null && { slot: row.slot }),
    ...(row.queues === 1 && { queues: true }),
  };
}
