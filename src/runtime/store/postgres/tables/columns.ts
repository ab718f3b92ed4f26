import type { LeaseEpoch } from "../leases.ts";
import type { StatementValues } from "../params.ts";

/** Columns of the entry `j`. */
export const ENTRY =
  "j.seq, j.key, j.account, j.lane, j.kind, j.at, j.arrived_at, j.source, j.body";

/** Columns of the run `r`. */
export const RUN =
  "r.ordinal, r.seq, r.owner, r.account, r.lane, r.revision, r.status, r.waits_for, r.version, r.body, r.listens, r.slot, r.queues";

/** Leases `h` that still hold, of those that are shown. */
export function leased(values: StatementValues, leases: readonly LeaseEpoch[]): string {
  const shown = values.table("h", { partition: "int", epoch: "bigint" }, leases);
  return `${shown} JOIN leases AS held ON held.partition = h.partition AND held.epoch = h.epoch AND held.worker IS NOT NULL`;
}

/** Columns of the item `i`, of which `o` is what is open. */
export const ITEM = `i.id, i.key, i.run, i.seq, i.account, i.lane, i.partition, i.action, i.priority,
  coalesce(o.status, i.status) AS status,
  CASE WHEN o.id IS NULL THEN i.attempts ELSE o.attempts END AS attempts,
  CASE WHEN o.id IS NULL THEN i.not_before ELSE o.not_before END AS not_before,
  CASE WHEN o.id IS NULL THEN i.expires_at ELSE o.expires_at END AS expires_at,
  CASE WHEN o.id IS NULL THEN i.started_at ELSE o.started_at END AS started_at,
  CASE WHEN o.id IS NULL THEN i.settled_at END AS settled_at,
  CASE WHEN o.id IS NULL THEN i.platform_id ELSE o.platform_id END AS platform_id,
  CASE WHEN o.id IS NULL THEN i.reason ELSE o.reason END AS reason`;

/** That the run `r` is the one of an item. */
export function runOf(item: string): string {
  return `r.seq = ${item}.seq AND r.owner = substr(${item}.run, strpos(${item}.run, '/') + 1)`;
}

/**
 * That the account of the row is not paused. Mostly none is: that is asked once for a statement, and the rows are looked
 * at only where one is.
 */
export function isNotPaused(row: string): string {
  return `((SELECT count(*) = 0 FROM pauses) OR NOT EXISTS (
    SELECT 1 FROM pauses AS p WHERE p.account IN ('', split_part(${row}.lane, '/', 1))))`;
}
