import {
  BATCH,
  type Cells,
  type CopiedTable,
  type CopyTarget,
  type GivenNumbers,
  sourceOf as sharedSourceOf,
} from "../../copy/sides.ts";
import { isSettled, type ItemStatus } from "../../item.ts";
import type { Cell } from "../../tables/columns.ts";
import { INPUTS } from "../../tables/tables.ts";
import type { Database, Statement } from "../binding.ts";

/** Store in a SQLite file as source or target of a copy, read and filled in batches. */
export class SqliteSide implements CopyTarget {
  readonly #db: Database;
  readonly #inserts = new Map<string, Statement<unknown>>();
  readonly #work;

  constructor(db: Database) {
    this.#db = db;
    this.#work = db.prepare("INSERT INTO work (kind, id, run) VALUES (?, ?, ?)");
  }

  async count(table: CopiedTable): Promise<number> {
    return this.#one(`SELECT count(*) AS n FROM ${sourceOf(table)}`);
  }

  async *read(table: CopiedTable): AsyncGenerator<readonly Cells[]> {
    const { names } = table;
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

  async write(table: CopiedTable, rows: readonly Cells[]): Promise<void> {
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

  #insert(table: CopiedTable, row: Cells): void {
    const cell = (name: string): Cell => row[table.names.indexOf(name)] ?? null;
    this.#insertOf(table).run(...row);
    const status = cell("status");
    if (table.name === "items" && !isSettled(status as ItemStatus)) {
      this.#work.run("item", cell("id"), null);
    }
    if (table.name === "runs" && (status === "ready" || status === "waiting")) {
      this.#work.run("run", cell("ordinal"), `${cell("seq")}/${cell("owner")}`);
    }
  }

  #insertOf(table: CopiedTable): Statement<unknown> {
    const cached = this.#inserts.get(table.name);
    if (cached !== undefined) return cached;
    const places = table.names.map(() => "?").join(", ");
    const statement = this.#db.prepare(
      table.name === INPUTS.name
        ? `INSERT INTO work (kind, ${nameInWork(table).join(", ")}) VALUES ('input', ${places})`
        : `INSERT INTO ${table.name} (${table.names.join(", ")}) VALUES (${places})`,
    );
    this.#inserts.set(table.name, statement);
    return statement;
  }

  #one(sql: string): number {
    return this.#db.prepare<{ n: number | null }>(sql).get()?.n ?? 0;
  }
}

/** Returns the names of columns of inputs in the table `work`, which stores them: `seq` is named `id` there. */
function nameInWork({ names }: Pick<CopiedTable, "names">): readonly string[] {
  return names.map((name) => (name === "seq" ? "id" : name));
}

function sourceOf(table: CopiedTable): string {
  if (table.name !== INPUTS.name) return sharedSourceOf(table);
  const [, ...others] = table.names;
  return `(SELECT id AS seq, ${others.join(", ")} FROM work WHERE kind = 'input') AS w`;
}

/** Rounds numbers up, because the columns in PostgreSQL are integers, and a time may have a fraction. */
function cellOf(value: Cell | undefined): Cell {
  return typeof value === "number" ? Math.ceil(value) : (value ?? null);
}
