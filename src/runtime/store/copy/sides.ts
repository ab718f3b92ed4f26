import type { Cell, StoredColumn, StoredTable } from "../tables/columns.ts";
import { META } from "../tables/tables.ts";
import { RESTORED_FROM } from "../restored.ts";
import { MOVED_TO } from "../moved.ts";
import { WRITTEN_BY } from "../written-by.ts";

/** Table copied between stores. `names` and `columns`: the columns that exist both in SQLite and in PostgreSQL. */
export type CopiedTable = Pick<StoredTable, "name"> & {
  readonly key: readonly string[];
  readonly names: readonly string[];
  readonly columns: Readonly<Record<string, StoredColumn>>;
  /** All columns of the table in PostgreSQL. */
  readonly postgres: Pick<StoredTable["postgres"], "columns">;
};

/** Values of one row, in the order of the table's columns. */
export type Cells = readonly Cell[];

/** Last number assigned to an entry, item, run, state version and escalation. No number is assigned twice. */
export interface GivenNumbers {
  readonly seq: number;
  readonly item: number;
  readonly run: number;
  readonly state: number;
  readonly escalation: number;
}

/** Store from which rows are copied. Its contents must not change during the copy. */
export interface CopySource {
  count(table: CopiedTable): Promise<number>;
  read(table: CopiedTable): AsyncIterable<readonly Cells[]>;
  numbers(): Promise<GivenNumbers>;
}

/** Empty store to which rows are copied, and which is then read to compare the contents. */
export interface CopyTarget extends CopySource {
  write(table: CopiedTable, rows: readonly Cells[]): Promise<void>;
  /** Writes the derived data (last numbers, counters), once all rows are written. */
  complete(numbers: GivenNumbers): Promise<void>;
}

/** Names of values in `meta` that belong to the original store only and are not copied. */
const OWN_METAS = [
  MOVED_TO,
  RESTORED_FROM,
  WRITTEN_BY,
  "partitions",
  "accounts-key",
  "accounts-version",
];

/** Returns the SQL for `FROM` that reads the rows of a table to copy, in SQLite and PostgreSQL. */
export function sourceOf({ name }: CopiedTable): string {
  if (name !== META.name) return name;
  return `(SELECT name, value FROM meta WHERE substr(name, 1, 8) <> 'account:'
    AND name NOT IN (${OWN_METAS.map((one) => `'${one}'`).join(", ")})) AS m`;
}

/** Number of rows that are copied in one batch. */
export const BATCH = 500;
