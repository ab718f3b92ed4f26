/** Value of a column in a row, as SQLite and PostgreSQL return it. */
export type Cell = string | number | null;

/**
 * Column of a table, as plain data.
 *
 * The store converts rows to records, which the runtime uses: column `arrived_at` becomes field `arrivedAt`, and a
 * field without a value is absent. `Stored` is the TypeScript type of the column's cells, `Value` that of the field.
 */
export interface StoredColumn<Stored = unknown, Value = unknown> {
  /** Type in PostgreSQL. SQLite has `TEXT` for `text`, and `INTEGER` for the others. */
  readonly type: "text" | "bigint" | "int" | "boolean";
  /** Stored form of the value. Absent: the cell is the value. `flag`: 1 or 0. `nonzero`: 0 if the field is absent. */
  readonly form?: "flag" | "json" | "nonzero";
  /** The cell may be `NULL`. */
  readonly isOptional?: true;
  /** The cell changes after the row was added. */
  readonly isChanging?: true;
  /** Only the store reads the column: records have no field for it. */
  readonly isInternal?: true;
  /** Type information only; the property is never set. */
  readonly types?: { readonly stored: Stored; readonly value: Value };
}

/** Descriptions of a table's columns, by column name. */
export type Columns = Readonly<Record<string, StoredColumn>>;

export const bigint: StoredColumn<number, number> = { type: "bigint" };
export const int: StoredColumn<number, number> = { type: "int" };
export const boolean: StoredColumn<boolean, boolean> = { type: "boolean" };
/** Column of a boolean that is true or absent, stored as 1 or 0. */
export const flag: StoredColumn<number, boolean | undefined> = { type: "int", form: "flag" };
/** Column of a number. The cell 0 means that the field is absent. */
export const nonzero: StoredColumn<number, number | undefined> = { type: "int", form: "nonzero" };

export function text<Value extends string = string>(): StoredColumn<Value, Value> {
  return { type: "text" };
}

export function json<Value>(): StoredColumn<string, Value> {
  return { type: "text", form: "json" };
}

export function optional<Stored, Value>(
  column: StoredColumn<Stored, Value>,
): StoredColumn<Stored | null, Value | undefined> {
  return { ...column, isOptional: true };
}

export function changing<Given extends StoredColumn>(column: Given): Given & { isChanging: true } {
  return { ...column, isChanging: true };
}

export function internal<Given extends StoredColumn>(column: Given): Given & { isInternal: true } {
  return { ...column, isInternal: true };
}

/** Some columns of a table, in the table's order. */
export interface ColumnSet<Some extends Columns = Columns> {
  readonly columns: Some;
  readonly names: readonly (keyof Some & string)[];
  readonly fields: readonly Field[];
}

/** Column, with the name of its field in records. */
interface Field extends Pick<StoredColumn, "form" | "isOptional"> {
  readonly name: string;
  readonly field: string;
}

type Stored<Given> = Given extends StoredColumn<infer Type> ? Type : never;
type Value<Given> = Given extends StoredColumn<unknown, infer Type> ? Type : never;
type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type Optional<Some> = {
  [Name in keyof Some]: undefined extends Value<Some[Name]> ? Name : never;
}[keyof Some];
/** Columns for which a mark, such as `isChanging`, is set. */
type Marked<Some, Mark extends string> = {
  [
    Name in keyof Some as Some[Name] extends { readonly [Key in Mark]: true } ? Name : never
  ]: Some[Name];
};
type Unmarked<Some, Mark extends string> = Omit<Some, keyof Marked<Some, Mark>>;

/** Cells of a row by column. */
export type RowOf<Set> =
  Set extends ColumnSet<infer Some> ? { readonly [Name in keyof Some]: Stored<Some[Name]> } : never;
type Fields<Some, Absent> = {
  readonly [Name in Exclude<keyof Some, Optional<Some>> as CamelCase<Name>]: Value<Some[Name]>;
} & {
  readonly [Name in Optional<Some> as CamelCase<Name>]?: Exclude<Value<Some[Name]>, Absent>;
};
/** Fields of a record that is read from a row. */
export type RecordOf<Set> = Set extends ColumnSet<infer Some> ? Fields<Some, undefined> : never;
/** Fields of a record that is written as a row. */
export type ValuesOf<Set> = Set extends ColumnSet<infer Some> ? Fields<Some, never> : never;

/** Description of a table, from which every SQL statement that reads or writes whole rows is built. */
export interface StoredTable<
  Shared extends Columns = Columns,
  Own extends Columns = Columns,
  Key extends keyof Shared & string = keyof Shared & string,
> extends ColumnSet<Shared> {
  readonly name: string;
  /** Columns that identify a row. */
  readonly key: readonly Key[];
  /** All columns that the table has in PostgreSQL. */
  readonly postgres: ColumnSet<Omit<Shared, keyof Own> & Own>;
  readonly fixed: ColumnSet<Unmarked<Shared, "isChanging">>;
  readonly changing: ColumnSet<Marked<Shared, "isChanging">>;
  /** Columns of an update: the key, and the columns that change. */
  readonly updated: ColumnSet<Pick<Shared, Key> & Marked<Shared, "isChanging">> &
    Pick<StoredTable<Shared, Own, Key>, "name" | "key">;
  /** Columns that become fields of a record. */
  readonly shown: ColumnSet<Unmarked<Shared, "isInternal">>;
}

/**
 * Describes a table.
 *
 * @param columns Columns that SQLite and PostgreSQL share.
 * @param own Columns that only PostgreSQL has, or that have another type in PostgreSQL. Their cells are derived from
 *   the other columns.
 */
export function table<
  Shared extends Columns,
  Key extends keyof Shared & string,
  Own extends Columns = Pick<Shared, Key>,
>(
  name: string,
  columns: Shared,
  { key, own }: { readonly key: readonly Key[]; readonly own?: Own },
): StoredTable<Shared, Own, Key> {
  const isKey = (column: string): boolean => key.some((one) => one === column);
  return {
    ...setOf<Shared>(columns),
    name,
    key,
    postgres: setOf({ ...columns, ...own }),
    fixed: setOf(columns, ({ isChanging }) => isChanging !== true),
    changing: setOf(columns, ({ isChanging }) => isChanging === true),
    updated: {
      ...setOf(columns, ({ isChanging }, column) => isChanging === true || isKey(column)),
      name,
      key,
    },
    shown: setOf(columns, ({ isInternal }) => isInternal !== true),
  };
}

/** Returns only the columns with these names. */
export function only<Some extends Columns, Name extends keyof Some & string>(
  { columns }: ColumnSet<Some>,
  ...names: readonly Name[]
): ColumnSet<Pick<Some, Name>> {
  return setOf(columns, (_, name) => names.some((one) => one === name));
}

/** Returns all columns except those with these names. */
export function without<Some extends Columns, Name extends keyof Some & string>(
  { columns }: ColumnSet<Some>,
  ...names: readonly Name[]
): ColumnSet<Omit<Some, Name>> {
  return setOf(columns, (_, name) => !names.some((one) => one === name));
}

function setOf<Some extends Columns>(
  all: Columns,
  isMeant: (column: StoredColumn, name: string) => boolean = () => true,
): ColumnSet<Some> {
  const meant = Object.entries(all).filter(([name, column]) => isMeant(column, name));
  const fields = meant.map(([name, { form, isOptional }]): Field => {
    const field = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return { name, field, ...(form && { form }), ...(isOptional && { isOptional }) };
  });
  // The caller's type `Some` names exactly the columns that the filter leaves.
  const columns = Object.fromEntries(meant) as Some;
  return { columns, names: fields.map(({ name }) => name), fields };
}

/** Returns column names for an SQL statement: `id, key` or `i.id, i.key`. @param of Alias of the table. */
export function listed({ names }: Pick<ColumnSet, "names">, of?: string): string {
  return (of === undefined ? names : names.map((name) => `${of}.${name}`)).join(", ");
}

/**
 * Returns the assignments of an `UPDATE`: `status = excluded.status, …`.
 *
 * @param from Alias of the row with the new cells.
 */
export function assigned({ names }: Pick<ColumnSet, "names">, from = "excluded"): string {
  return names.map((name) => `${name} = ${from}.${name}`).join(", ");
}

/** Converts a row to a record. The row may have further columns. */
export function recordOf<Some extends Columns>(
  { fields }: ColumnSet<Some>,
  row: RowOf<ColumnSet<Some>>,
): RecordOf<ColumnSet<Some>> {
  const cells: Readonly<Record<string, unknown>> = row;
  const record: Record<string, unknown> = {};
  for (const { name, field, form } of fields) {
    const cell = cells[name];
    if (form === undefined) {
      if (cell !== null) record[field] = cell;
    } else if (form === "json") {
      if (typeof cell === "string") record[field] = JSON.parse(cell);
    } else if (cell !== 0) record[field] = form === "flag" ? true : cell;
  }
  // The loop sets the fields of these columns only, so the record has the type.
  return record as RecordOf<ColumnSet<Some>>;
}

/** Converts a record to a row. The record may have further fields. */
export function rowOf<Some extends Columns>(
  { fields }: ColumnSet<Some>,
  values: ValuesOf<ColumnSet<Some>>,
): RowOf<ColumnSet<Some>> {
  const record: Readonly<Record<string, unknown>> = values;
  const row: Record<string, unknown> = {};
  for (const { name, field, form, isOptional } of fields) {
    const value = record[field];
    if (form === undefined) row[name] = value ?? (isOptional === true ? null : undefined);
    else if (form === "json") row[name] = value === undefined ? null : JSON.stringify(value);
    else row[name] = form === "flag" ? Number(value === true) : (value ?? 0);
  }
  // The row has the cells of these columns only, so it has the type.
  return row as RowOf<ColumnSet<Some>>;
}
