import type { Database, Statement } from "../sqlite/binding.ts";
import { isSettled, type ItemStatus } from "../item.ts";
import type { GivenNumbers, MoveTarget } from "./sides.ts";
import { BATCH, type Cell, type Cells, type MovedTable, placeOf } from "./tables.ts";

/** A store's file, read and filled a batch at a time. */
export class SqliteSide implements MoveTarget {
  readonly #db: Database;
  readonly #inserts = new Map<string, Statement<unknown>>();
  readonly #work;

  constructor(db: Database) {
    this.#db = db;
    this.#work = db.prepare(
      "INSERT INTO work (kind, id, lane, attempts, retry_at, item, run) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
  }

  async count(table: MovedTable): Promise<number> {
    return this.#one(`SELECT count(*) AS n FROM ${sourceOf(table)}`);
  }

  async *read(table: MovedTable): AsyncGenerator<readonly Cells[]> {
    const names = Object.keys(table.columns);
    const select = `SELECT ${names.join(", ")} FROM ${sourceOf(table)}`;
    const key = table.key.join(", ");
    const order = `ORDER BY ${key} LIMIT ${BATCH}`;
    const first = this.#db.prepare<Record<string, Cell>>(`${select} ${order}`);
    const next = this.#db.prepare<Record<string, Cell>>(
      `${select} WHERE (${key}) > (${table.key.map(() => "?").join(", ")}) ${order}`,
    );
    for (let rows = first.all(); rows.length > 0;) {
      yield rows.map((row) => names.map((name) => cellOf(row[name])));
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH) return;
      rows = next.all(...table.key.map((name) => last[name] ?? null));
    }
  }

  async numbers(): Promise<GivenNumbers> {
    const counted = (name: string): number =>
      this.#one(`SELECT n FROM counters WHERE name = '${name}'`);
    return {
      seq: Math.max(
        counted("seq"),
        this.#one("SELECT max(seq) AS n FROM journal"),
        this.#one("SELECT max(id) AS n FROM work WHERE kind = 'input'"),
      ),
      item: Math.max(counted("item"), this.#one("SELECT max(id) AS n FROM items")),
      run: counted("run"),
      state: counted("state"),
      escalation: this.#one("SELECT seq AS n FROM sqlite_sequence WHERE name = 'escalations'"),
    };
  }

  async write(table: MovedTable, rows: readonly Cells[]): Promise<void> {
    this.#db.exec("BEGIN");
    for (const row of rows) this.#insert(table, row);
    this.#db.exec("COMMIT");
  }

  async complete({ seq, item, run, state, escalation }: GivenNumbers): Promise<void> {
    const journal = this.#one("SELECT count(*) AS n FROM journal");
    const items = this.#one("SELECT count(*) AS n FROM items");
    this.#db.exec("BEGIN");
    const put = this.#db.prepare("INSERT OR REPLACE INTO counters (name, n) VALUES (?, ?)");
    for (const [name, n] of Object.entries({ seq, item, run, state, journal, items })) {
      put.run(name, n);
    }
    this.#db.exec("DELETE FROM sqlite_sequence WHERE name = 'escalations'");
    this.#db
      .prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('escalations', ?)")
      .run(escalation);
    this.#db.exec("COMMIT");
  }

  #insert(table: MovedTable, row: Cells): void {
    const cell = (name: string): Cell => row[placeOf(table, name)] ?? null;
    if (table.name === "inputs") {
      const input = [cell("lane"), cell("attempts"), cell("retry_at"), cell("item")] as const;
      this.#work.run("input", cell("seq"), ...input, null);
      return;
    }
    this.#insertOf(table).run(...row);
    const status = cell("status");
    if (table.name === "items" && !isSettled(status as ItemStatus)) {
      this.#work.run("item", cell("id"), null, null, null, null, null);
    }
    if (table.name === "runs" && (status === "ready" || status === "waiting")) {
      const run = `${cell("seq")}/${cell("owner")}`;
      this.#work.run("run", cell("ordinal"), null, null, null, null, run);
    }
  }

  #insertOf({ name, columns }: MovedTable): Statement<unknown> {
    const known = this.#inserts.get(name);
    if (known !== undefined) return known;
    const names = Object.keys(columns);
    const made = this.#db.prepare(
      `INSERT INTO ${name} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    );
    this.#inserts.set(name, made);
    return made;
  }

  #one(sql: string): number {
    return this.#db.prepare<{ n: number | null }>(sql).get()?.n ?? 0;
  }
}

function sourceOf({ name, inSqlite = name }: MovedTable): string {
  return inSqlite;
}

/** Times have no fractions elsewhere. */
function cellOf(value: Cell | undefined): Cell {
  return typeof value === "number" ? Math.ceil(value) : (value ?? null);
}
