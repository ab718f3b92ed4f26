import type { Cell, StoredColumn, StoredTable } from "../tables/columns.ts";
import { META } from "../tables/tables.ts";
import { RESTORED_FROM } from "../restored.ts";
import { MOVED_TO } from "../moved.ts";
import { WRITTEN_BY } from "../written-by.ts";

/** Table that is copied, with the columns of both engines. */
export type CopiedTable = Pick<StoredTable, "name"> & {
  readonly key: readonly string[];
  readonly names: readonly string[];
  readonly columns: Readonly<Record<string, StoredColumn>>;
  /** All columns of PostgreSQL. */
  readonly postgres: Pick<StoredTable["postgres"], "columns">;
};

/** The values of one row, in the order of the table's columns. */
export type Cells = readonly Cell[];

/** The last number given of each kind: none is ever given again. */
export interface GivenNumbers {
  readonly seq: number;
  readonly item: number;
  readonly run: number;
  readonly state: number;
  readonly escalation: number;
}

/** A store that stands still while it is read. */
export interface CopySource {
  count(table: CopiedTable): Promise<number>;
  read(table: CopiedTable): AsyncIterable<readonly Cells[]>;
  numbers(): Promise<GivenNumbers>;
}

/** An empty store that is filled, and read back. */
export interface CopyTarget extends CopySource {
  write(table: CopiedTable, rows: readonly Cells[]): Promise<void>;
  /** Makes what follows from the rows, once all of them are there. */
  complete(numbers: GivenNumbers): Promise<void>;
}

/** Values that belong to a place; the linked accounts are copied by themselves. */
const OWN_METAS = [
  MOVED_TO,
  RESTORED_FROM,
  WRITTEN_BY,
  "partitions",
  "accounts-key",
  "accounts-version",
];

/** Returns what a table's rows are selected from, where both engines have it in the same way. */
export function sourceOf({ name }: CopiedTable): string {
  if (name !== META.name) return name;
  return `(SELECT name, value FROM meta WHERE substr(name, 1, 8) <> 'account:'
    AND name NOT IN (${OWN_METAS.map((one) => `'${one}'`).join(", ")})) AS m`;
}

/** How many rows are at hand at once, at most. */
export const BATCH = 500;
