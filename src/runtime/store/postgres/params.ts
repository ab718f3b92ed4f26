import { type Columns, type ColumnSet, listed, type RowOf } from "../tables/columns.ts";

/** Collects the parameter values of an SQL statement, and returns a placeholder for each value. */
export class StatementValues {
  readonly values: unknown[] = [];

  /** Adds a value; a number for a `bigint` is rounded down. @returns The placeholder with its type: `$3::bigint[]`. */
  add(value: unknown, type: string): string {
    const isWhole = type !== "bigint" || typeof value !== "number";
    this.values.push(isWhole ? value : Math.floor(value));
    return `$${this.values.length}::${type}`;
  }

  /**
   * Adds rows as array parameters. Returns SQL for `FROM` that reads the rows as a table `name`, with these columns and
   * a column `ord` for the order of the rows.
   *
   * @param columns SQL types of the columns, by column name.
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

  /** Adds rows with the columns of `set`, like {@link StatementValues.table}. The SQL name of the table is `g`. */
  rows<Some extends Columns>(
    set: ColumnSet<Some>,
    rows: readonly RowOf<ColumnSet<Some>>[],
  ): string {
    return this.table("g", typesOf(set), rows);
  }

  /**
   * Builds an `INSERT` of rows, in the order of `rows`.
   *
   * @param computed Further columns: SQL expressions by column name.
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

/** Returns the SQL types of columns, by column name, for {@link StatementValues.table}. */
export function typesOf<Some extends Columns>({ columns }: Pick<ColumnSet<Some>, "columns">) {
  const types = Object.entries(columns).map(([name, { type }]) => [name, type]);
  // The return type of `Object.fromEntries` lacks the column names.
  return Object.fromEntries(types) as Record<keyof Some & string, string>;
}

/**
 * Rounds numbers up to integers: times that follow from the platform's rate limits may have fractions of milliseconds.
 */
function whole(cell: unknown): unknown {
  return typeof cell === "number" ? Math.ceil(cell) : cell;
}
