import type { Action } from "../../../actions/action.ts";
import type { Item, ItemStatus, NewEntry } from "../store.ts";

export const ENTRY_COLUMNS = "seq, key, account, lane, kind, at, arrived_at, source, body";

export interface EntryRow {
  readonly seq: number;
  readonly key: string;
  readonly account: string;
  readonly lane: string;
  readonly kind: string;
  readonly at: number;
  readonly arrived_at: number;
  readonly source: NewEntry["source"];
  readonly body: string;
}

export function toNewEntry(row: EntryRow): NewEntry {
  const { key, account, lane, kind, at, source, body } = row;
  return { key, account, lane, kind, at, arrivedAt: row.arrived_at, source, body };
}

export const ITEM_COLUMNS =
  "id, key, seq, account, lane, action, status, attempts, not_before, expires_at, started_at, settled_at, platform_id, reason";

export interface ItemRow {
  readonly id: number;
  readonly key: string;
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
}

export function toItem(row: ItemRow, partition: number): Item {
  const { id, key, seq, account, lane, status, attempts } = row;
  return {
    id,
    key,
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
  };
}
