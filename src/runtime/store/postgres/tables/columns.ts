import { type ColumnSet, listed } from "../../tables/columns.ts";
import { ITEMS, JOURNAL, OPEN_ITEMS, RUNS } from "../../tables/tables.ts";
import type { LeaseEpoch } from "../leases.ts";
import type { StatementValues } from "../params.ts";

/** Columns of the entry `j`. */
export const ENTRY = listed(JOURNAL, "j");

/** Columns of the run `r`. */
export const RUN = listed(RUNS, "r");

/** Leases `h` that still hold, of those that are shown. */
export function leased(values: StatementValues, leases: readonly LeaseEpoch[]): string {
  const shown = values.table("h", { partition: "int", epoch: "bigint" }, leases);
  return `${shown} JOIN leases AS held ON held.partition = h.partition AND held.epoch = h.epoch AND held.worker IS NOT NULL`;
}

/** Columns of the item `i`, whose state is in the row `o` while the item is open. */
function itemColumns({ names }: Pick<ColumnSet, "names">): string {
  const isOneOf = (all: readonly string[], name: string): boolean => all.includes(name);
  const columns = names.map((name) => {
    if (!isOneOf(ITEMS.changing.names, name)) return `i.${name}`;
    const open = isOneOf(OPEN_ITEMS.names, name) ? `ELSE o.${name} ` : "";
    return `CASE WHEN o.id IS NULL THEN i.${name} ${open}END AS ${name}`;
  });
  return columns.join(", ");
}

/** Columns of the item `i` that its record has, and its partition. */
export const ITEM = `${itemColumns(ITEMS.shown)}, i.partition`;

/** All columns of the item `i`. */
export const WHOLE_ITEM = itemColumns(ITEMS);

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
