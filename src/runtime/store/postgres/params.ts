import { type Columns, type ColumnSet, listed, type RowOf } from "../tables/columns.ts";

/** Values of a statement, by the places in which it names them. */
export class StatementValues {
  readonly values: unknown[] = [];

  /** @returns The place, with its type: `$3::bigint[]`. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  /**
   * Rows as a table `name`, a column for each of `columns` and `ord` for their order.
   *
   * @param columns Their types by name.
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

  /** Rows of described columns as a table `g`, with `ord` for their order. */
  given<Some extends Columns>(
    set: ColumnSet<Some>,
    rows: readonly RowOf<ColumnSet<Some>>[],
  ): string {
    return this.table("g", typesOf(set), rows);
  }

  /**
   * An `INSERT` of rows, in their order.
   *
   * @param computed Expressions of further columns.
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
      FROM (SELECT ${names} FROM ${this.given(set, rows)} ORDER BY ord) AS s ${conflict}`;
  }
}

/** Types by name, as {@link StatementValues.table} takes them. */
export function typesOf<Some extends Columns>({ columns }: Pick<ColumnSet<Some>, "columns">) {
  const types = Object.entries(columns).map(([name, { type }]) => [name, type]);
  // The names are those of the columns.
  return Object.fromEntries(types) as Record<keyof Some & string, string>;
}

/** Whole milliseconds: times that the platform's limits name may have fractions. */
function whole(cell: unknown): unknown {
  return typeof cell === "number" ? Math.ceil(cell) : cell;
}
