import type { Database, Statement, Value } from "./binding.ts";

/** SQL condition with one placeholder, and its value. The condition is left out if the value is `undefined`. */
export type Condition = readonly [sql: string, value: Value | undefined];

/** Runs queries whose conditions differ from call to call. Prepares each SQL text once. */
export class Select<Row> {
  readonly #db: Database;
  readonly #prepared = new Map<string, Statement<Row>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Returns the rows with the highest `id` that meet every condition, newest first.
   *
   * The first condition with a value decides which index SQLite uses, so put the most selective condition first. SQLite
   * can also use an index for further conditions on the same column, and for conditions on `id`.
   */
  newest(from: string, id: string, limit: number, conditions: readonly Condition[]): Row[] {
    const filters = conditions.filter(isGiven);
    const [sharpest = ""] = filters.map(([sql]) => columnOf(sql));
    const where = filters.map(([sql]) =>
      columnOf(sql) === sharpest || sql.startsWith(id) ? sql : `+${sql}`,
    );
    const sql = `${from} ${clauseOf(where)} ORDER BY ${id} DESC LIMIT ?`;
    return this.#run(sql, [...filters.map(([, value]) => value), limit]);
  }

  /** Returns all rows that meet the conditions, sorted by `order`. */
  all(from: string, order: string, conditions: readonly Condition[]): Row[] {
    const filters = conditions.filter(isGiven);
    const sql = `${from} ${clauseOf(filters.map(([one]) => one))} ORDER BY ${order}`;
    return this.#run(
      sql,
      filters.map(([, value]) => value),
    );
  }

  #run(sql: string, values: readonly Value[]): Row[] {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare<Row>(sql);
      this.#prepared.set(sql, statement);
    }
    return statement.all(...values);
  }
}

function isGiven(condition: Condition): condition is readonly [string, Value] {
  return condition[1] !== undefined;
}

function clauseOf(where: readonly string[]): string {
  return where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
}

/** Returns the column of a condition: `seq >= ?` becomes `seq`. */
function columnOf(sql: string): string {
  return sql.slice(0, sql.indexOf(" "));
}
