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
  table<const Columns extends Readonly<Record<string, string>>>(
    name: string,
    columns: Columns,
    rows: readonly { readonly [Column in keyof Columns]: unknown }[],
  ): string {
    const names = Object.keys(columns);
    const places = names.map((column) =>
      this.add(
        rows.map((row) => row[column]),
        `${columns[column]}[]`,
      ),
    );
    return `unnest(${places.join(", ")}) WITH ORDINALITY AS ${name} (${names.join(", ")}, ord)`;
  }
}
