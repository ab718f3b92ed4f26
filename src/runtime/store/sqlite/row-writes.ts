import {
  type Cell,
  type Columns,
  type ColumnSet,
  listed,
  type RowOf,
  type StoredTable,
} from "../tables/columns.ts";
import type { Database } from "./binding.ts";

/** Function that writes a row. Returns the number of changed rows. */
export type WriteRow<Some extends Columns> = (row: RowOf<ColumnSet<Some>>) => number;

/**
 * Prepares an `INSERT` of a whole row.
 *
 * @param conflict An `ON CONFLICT` clause.
 */
export function rowInsert<Some extends Columns>(
  db: Database,
  set: ColumnSet<Some> & Pick<StoredTable, "name">,
  conflict = "",
): WriteRow<Some> {
  const places = set.names.map(() => "?").join(", ");
  const statement = db.prepare(
    `INSERT INTO ${set.name} (${listed(set)}) VALUES (${places}) ${conflict}`,
  );
  return (row) => statement.run(...cellsOf(set.names, row));
}

/** Prepares an `UPDATE` of the columns that are not in the key. */
export function rowUpdate<Some extends Columns>(
  db: Database,
  set: ColumnSet<Some> & Pick<StoredTable, "name"> & { readonly key: readonly string[] },
): WriteRow<Some> {
  const { key } = set;
  const changing = set.names.filter((name) => !key.includes(name));
  const assign = (names: readonly string[]): string[] => names.map((name) => `${name} = ?`);
  const statement = db.prepare(
    `UPDATE ${set.name} SET ${assign(changing).join(", ")} WHERE ${assign(key).join(" AND ")}`,
  );
  const names = [...changing, ...key];
  return (row) => statement.run(...cellsOf(names, row));
}

function cellsOf(names: readonly string[], row: Readonly<Record<string, unknown>>): Cell[] {
  // The type `RowOf` of the callers guarantees that the values of these columns are cells.
  return names.map((name) => row[name] as Cell);
}
