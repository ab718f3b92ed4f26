import { type ColumnSet, listed } from "../../tables/columns.ts";
import { ITEMS, JOURNAL, OPEN_ITEMS, RUNS } from "../../tables/tables.ts";
import type { LeaseEpoch } from "../leases.ts";
import type { StatementValues } from "../params.ts";

/** Columns of an entry, with the alias `j`. */
export const ENTRY = listed(JOURNAL, "j");

/** Columns of a run, with the alias `r`. */
export const RUN = listed(RUNS, "r");

/** Returns SQL for `FROM` with the passed leases as `h`, without leases that now have a newer holder or no holder. */
export function leased(values: StatementValues, leases: readonly LeaseEpoch[]): string {
  const shown = values.table("h", { partition: "int", epoch: "bigint" }, leases);
  return `${shown} JOIN leases AS held ON held.partition = h.partition AND held.epoch = h.epoch AND held.worker IS NOT NULL`;
}

/** Returns the columns of the item `i`. While an item is open, its status data is in its row `o` of `open_items`. */
function itemColumns({ names }: Pick<ColumnSet, "names">): string {
  const isOneOf = (all: readonly string[], name: string): boolean => all.includes(name);
  const columns = names.map((name) => {
    if (!isOneOf(ITEMS.changing.names, name)) return `i.${name}`;
    const open = isOneOf(OPEN_ITEMS.names, name) ? `ELSE o.${name} ` : "";
    return `CASE WHEN o.id IS NULL THEN i.${name} ${open}END AS ${name}`;
  });
  return columns.join(", ");
}

/** Columns of the item `i` that become fields of a record, plus the item's partition. */
export const ITEM = `${itemColumns(ITEMS.shown)}, i.partition`;

/** All columns of the item `i`. */
export const WHOLE_ITEM = itemColumns(ITEMS);

/** Returns the SQL condition that the run `r` queued an item. @param item Alias of the item. */
export function runOf(item: string): string {
  return `r.seq = ${item}.seq AND r.owner = substr(${item}.run, strpos(${item}.run, '/') + 1)`;
}

/**
 * Returns the SQL condition that the account of a row is not paused. A statement first checks whether any account is
 * paused, which is rare. Only if so, it checks each row.
 */
export function isNotPaused(row: string): string {
  return `((SELECT count(*) = 0 FROM pauses) OR NOT EXISTS (
    SELECT 1 FROM pauses AS p WHERE p.account IN ('', split_part(${row}.lane, '/', 1))))`;
}
