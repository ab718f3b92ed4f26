import { type Columns, type ColumnSet, listed, type RowOf } from "../tables/columns.ts";

/** Parameter values of a statement, and their placeholders. */
export class StatementValues {
  readonly values: unknown[] = [];

  /** @returns The placeholder with its type: `$3::bigint[]`. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  /**
   * Passes rows as a table `name`, with these columns and a column `ord` for their order.
   *
   * @param columns Types of the columns by name.
   */
  table<const Types extends Readonly<Record<string, string>>>(
    name: string,
    columns: Types,
    rows: readonly { readonly [Column in keyof Types]: unknown }[],
  ): string {
    const names = Object.keys(columns);
    const places = names.map((column) => {
      const cells = rows.map((row) => row[column]);
      return this.add(
        columns[column] === "bigint" ? cells.map(whole) : cells,
        `${columns[column]}[]`,
      );
    });
    return `unnest(${places.join(", ")}) WITH ORDINALITY AS ${name} (${names.join(", ")}, ord)`;
  }

  /** Passes rows with described columns as a table `g`, with a column `ord` for their order. */
  rows<Some extends Columns>(
    set: ColumnSet<Some>,
    rows: readonly RowOf<ColumnSet<Some>>[],
  ): string {
    return this.table("g", typesOf(set), rows);
  }

  /**
   * Builds an `INSERT` of rows, in their order.
   *
   * @param computed SQL expressions of further columns.
   * @param conflict An `ON CONFLICT` clause.
   */
  insert<Some extends Columns>(
    table: string,
    set: ColumnSet<Some>,
    rows: readonly RowOf<ColumnSet<Some>>[],
    {
      computed = {},
      conflict = "",
    }: { readonly computed?: Readonly<Record<string, string>>; readonly conflict?: string } = {},
  ): string {
    const names = listed(set);
    return `INSERT INTO ${table} (${[...Object.keys(computed), names].join(", ")})
      SELECT ${[...Object.values(computed), "s.*"].join(", ")}
      FROM (SELECT ${names} FROM ${this.rows(set, rows)} ORDER BY ord) AS s ${conflict}`;
  }
}

/** Returns the types of columns by name, for {@link StatementValues.table}. */
export function typesOf<Some extends Columns>({ columns }: Pick<ColumnSet<Some>, "columns">) {
  const types = Object.entries(columns).map(([name, { type }]) => [name, type]);
  // `Object.fromEntries` loses the names, which are those of the columns.
  return Object.fromEntries(types) as Record<keyof Some & string, string>;
}

/** Rounds up to whole milliseconds: times from the platform's limits may have fractions. */
function whole(cell: unknown): unknown {
  return typeof cell === "number" ? Math.ceil(cell) : cell;
}
