import type * as z from "zod";
import { compareIds } from "./ids.ts";
import { InsertedKeys, type IndexKeys, OrderedKeys } from "./index-keys.ts";

/** World that owns tables. It is notified of each change of a row. */
export interface TableOwner {
  rowPut(table: string, row: object): void;
  rowDeleted(table: string, key: string): void;
}

/** Reads the values of an index from a row: no value, one, or several. */
export type IndexKey<Row> = (row: Row) => string | readonly string[] | undefined;

/** Declaration of one kind of entity: its schema, its key and its indexes. */
export interface TableSpec<Row, Index extends string> {
  /** Name of the table in a saved world. */
  readonly name: string;
  /** Schema of a row, from which the row's TypeScript type is derived. Restoring refuses rows that do not match. */
  readonly schema: z.ZodType<Row>;
  readonly key: (row: Row) => string;
  readonly indexes: Readonly<Record<Index, IndexKey<Row>>>;
  /** Returns the decimal id that orders a row; updates must not change it. Required for {@link Table.descending}. */
  readonly order?: (row: Row) => string;
  /** Index whose values are unique among the rows. A saved state with duplicates is refused. */
  readonly unique?: NoInfer<Index>;
}

/** Parts of a table that saving and restoring need, for any type of row. */
export interface AnyTable {
  readonly name: string;
  /** Opens an empty table in `world`. */
  attach(world: TableOwner): void;
  /** Returns every row in its saved form. */
  dump(world: TableOwner): readonly object[];
  clear(world: TableOwner): void;
  /** Puts a saved row. For an invalid row, returns a message with the reason. */
  load(world: TableOwner, row: unknown): string | undefined;
  unload(world: TableOwner, key: string): void;
  /** Begins to replace all rows of the table; the table stays unchanged until the commit. */
  beginImport(): RowImport;
}

/** Rows of a saved world before they are put into a table. */
export interface RowImport {
  /** Validates and collects a row. Returns `[position].key: fault` for an invalid row. */
  add(row: unknown): string | undefined;
  /** Replaces the table's rows by the collected rows. */
  commit(world: TableOwner): void;
}

export interface TableDef<Row extends object, Index extends string> extends AnyTable {
  /** Returns the table with the rows of `world`. */
  in(world: TableOwner): Table<Row, Index>;
}

/** Declares a table. Areas list their tables, so that a world can open, save and restore them. */
export function defineTable<Row extends object, const Index extends string = never>(
  spec: TableSpec<Row, Index>,
): TableDef<Row, Index> {
  const opened = new WeakMap<TableOwner, Table<Row, Index>>();
  const table = (world: TableOwner): Table<Row, Index> => {
    const openedTable = opened.get(world);
    if (openedTable === undefined) throw new Error(`table ${spec.name} is not listed by any area`);
    return openedTable;
  };
  return {
    name: spec.name,
    in: table,
    attach: (world) => opened.set(world, new Table(spec, world)),
    dump: (world) => [...table(world).all()],
    clear: (world) => table(world).replace(new Map()),
    load(world, row) {
      const result = spec.schema.safeParse(row);
      if (!result.success) return faultOf(result.error);
      table(world).put(result.data);
      return undefined;
    },
    unload: (world, key) => void table(world).delete(key),
    beginImport: () => beginImport(spec, table),
  };
}

function beginImport<Row extends object, Index extends string>(
  spec: TableSpec<Row, Index>,
  table: (world: TableOwner) => Table<Row, Index>,
): RowImport {
  const rows = new Map<string, Row>();
  const uniqueValues = new Set<string>();
  const isTaken = (row: Row): string | undefined => {
    const value = spec.unique === undefined ? undefined : spec.indexes[spec.unique](row);
    if (typeof value !== "string") return undefined;
    if (uniqueValues.has(value)) return value;
    uniqueValues.add(value);
    return undefined;
  };
  let count = 0;
  return {
    add(row) {
      const at = count;
      count += 1;
      const result = spec.schema.safeParse(row);
      if (!result.success) return `[${at}]${faultOf(result.error)}`;
      const key = spec.key(result.data);
      if (rows.has(key)) return `[${at}]: ${key} occurs twice`;
      const shared = isTaken(result.data);
      if (shared !== undefined) return `[${at}].${String(spec.unique)}: ${shared} occurs twice`;
      rows.set(key, result.data);
      return undefined;
    },
    commit: (world) => table(world).replace(rows),
  };
}

/** Formats the first fault as `.key: fault`. */
function faultOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.map((part) => `.${String(part)}`).join("") ?? "";
  return `${path}: ${issue?.message ?? "is not valid"}`;
}

/**
 * Rows by key, with indexes in the order of insertion, or of the rows' ids if the table declares an `order`.
 *
 * Rows are never changed in place: an update puts a new object, so that a list of rows taken for saving stays
 * unchanged.
 */
export class Table<Row extends object, Index extends string> {
  readonly #spec: TableSpec<Row, Index>;
  readonly #owner: TableOwner;
  #rows = new Map<string, Row>();
  readonly #indexes = new Map<string, IndexKeys>();

  constructor(spec: TableSpec<Row, Index>, owner: TableOwner) {
    this.#spec = spec;
    this.#owner = owner;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  all(): IterableIterator<Row> {
    return this.#rows.values();
  }

  /** Adds a row, or replaces the row with the same key. Returns the row. */
  put(row: Row): Row {
    const key = this.#spec.key(row);
    const old = this.#rows.get(key);
    this.#rows.set(key, row);
    this.#link(key, row);
    if (old !== undefined) this.#unlink(key, old, row);
    this.#owner.rowPut(this.#spec.name, row);
    return row;
  }

  /** Replaces some fields of a row. Returns the new row, or nothing when the key has no row. */
  update(key: string, patch: Partial<Row>): Row | undefined {
    const old = this.#rows.get(key);
    return old === undefined ? undefined : this.put({ ...old, ...patch });
  }

  delete(key: string): boolean {
    const old = this.#rows.get(key);
    if (old === undefined) return false;
    this.#unlink(key, old);
    this.#rows.delete(key);
    this.#owner.rowDeleted(this.#spec.name, key);
    return true;
  }

  /** Replaces all rows by `rows`, which maps keys to rows. The caller must not use the map afterwards. */
  replace(rows: Map<string, Row>): void {
    this.#rows = rows;
    this.#indexes.clear();
    for (const [key, row] of this.#inOrder()) this.#link(key, row);
  }

  /** Returns the rows whose index contains `value`, in insertion order or by the table's `order`. */
  where(index: Index, value: string): Row[] {
    const keys = this.#indexes.get(index)?.of(value) ?? [];
    return Array.from(keys).flatMap((key) => this.#rows.get(key) ?? []);
  }

  /** Returns the first row whose index contains `value`. */
  first(index: Index, value: string): Row | undefined {
    const key = this.#indexes.get(index)?.first(value);
    return key === undefined ? undefined : this.#rows.get(key);
  }

  count(index: Index, value: string): number {
    return this.#indexes.get(index)?.count(value) ?? 0;
  }

  /** Yields the rows whose index contains `value`, highest order first: all rows, or only rows below `below`. */
  *descending(index: Index, value: string, below?: string): Generator<Row> {
    for (const key of this.#ordered(index)?.descending(value, below) ?? []) {
      const row = this.#rows.get(key);
      if (row !== undefined) yield row;
    }
  }

  /** Yields the rows whose index contains `value` and whose order is above `above`, lowest order first. */
  *ascending(index: Index, value: string, above: string): Generator<Row> {
    for (const key of this.#ordered(index)?.ascending(value, above) ?? []) {
      const row = this.#rows.get(key);
      if (row !== undefined) yield row;
    }
  }

  #ordered(index: Index): OrderedKeys | undefined {
    const keys = this.#indexes.get(index);
    if (keys === undefined || keys instanceof OrderedKeys) return keys;
    throw new Error(`table ${this.#spec.name} declares no order to page by`);
  }

  #link(key: string, row: Row): void {
    const order = this.#orderOf(row);
    this.#eachIndexKey(row, (index, value) => {
      let keys = this.#indexes.get(index);
      if (keys === undefined) {
        keys = this.#newKeys();
        this.#indexes.set(index, keys);
      }
      keys.add(value, key, order);
    });
  }

  #newKeys(): IndexKeys {
    if (this.#spec.order === undefined) return new InsertedKeys();
    return new OrderedKeys((key) => {
      const row = this.#rows.get(key);
      return row === undefined ? "0" : this.#orderOf(row);
    });
  }

  /** Returns the rows by rising order, so that an index that is rebuilt appends each row instead of inserting it. */
  #inOrder(): Iterable<[string, Row]> {
    const { order } = this.#spec;
    if (order === undefined) return this.#rows;
    return [...this.#rows].sort(([, a], [, b]) => compareIds(order(a), order(b)));
  }

  #orderOf(row: Row): string {
    return this.#spec.order?.(row) ?? "0";
  }

  /**
   * Removes a row from the indexes.
   *
   * @param replacement New version of the row. Index values that the old and new versions share keep their position.
   */
  #unlink(key: string, row: Row, replacement?: Row): void {
    const shared = new Set<string>();
    if (replacement !== undefined) {
      this.#eachIndexKey(replacement, (index, value) => shared.add(`${index} ${value}`));
    }
    const order = this.#orderOf(row);
    this.#eachIndexKey(row, (index, value) => {
      if (!shared.has(`${index} ${value}`)) this.#indexes.get(index)?.remove(value, key, order);
    });
  }

  #eachIndexKey(row: Row, visit: (index: string, value: string) => void): void {
    for (const [index, read] of Object.entries<IndexKey<Row>>(this.#spec.indexes)) {
      const value = read(row);
      if (value === undefined) continue;
      if (typeof value === "string") visit(index, value);
      else for (const one of value) visit(index, one);
    }
  }
}
