import { describe, expect, it } from "vitest";
import { PostgresDatabase } from "../../../../src/runtime/store/postgres/database.ts";
import { prepareStore } from "../../../../src/runtime/store/postgres/schema.ts";
import { IN_MEMORY, openDatabase } from "../../../../src/runtime/store/sqlite/binding.ts";
import { migrate } from "../../../../src/runtime/store/sqlite/schema.ts";
import type { StoredColumn, Columns } from "../../../../src/runtime/store/tables/columns.ts";
import { COPIED_TABLES, OPEN_ITEMS } from "../../../../src/runtime/store/tables/tables.ts";
import { testDatabase } from "../../../postgres/databases.ts";

/** Type of each column, by table and column. The type of a column that may be `NULL` ends in `?`. */
type Shape = Record<string, Record<string, string>>;

/** Tables of the PostgreSQL store that no description covers, because they contain no records of the runtime. */
const WORKING_IN_POSTGRES = [
  "counts",
  "given_up",
  "leases",
  "presences",
  "schema_version",
  "workers",
];

/** Tables that only SQLite has, with all their columns. */
const OWN_OF_SQLITE: Shape = {
  counters: { name: "TEXT", n: "INTEGER" },
  // A row with the kind `input` refers to a row of the table of inputs; its `id` is the `seq` of that row.
  work: {
    kind: "TEXT",
    id: "INTEGER",
    lane: "TEXT?",
    attempts: "INTEGER?",
    retry_at: "INTEGER?",
    item: "INTEGER?",
    run: "TEXT?",
  },
};

function shapeOf(
  columns: Columns,
  typeOf: (column: StoredColumn) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      `${typeOf(column)}${column.isOptional === true ? "?" : ""}`,
    ]),
  );
}

function put(shape: Shape, table: string, column: string, type: string): void {
  shape[table] = { ...shape[table], [column]: type };
}

describe("the description of the tables", () => {
  it("contains every column of PostgreSQL, as in the database's catalogue", async () => {
    const database = await testDatabase();
    const db = new PostgresDatabase(database.url);
    await prepareStore(db, false);
    const rows = await db.query<{ of: string; name: string; type: string; nullable: string }>(
      `SELECT table_name::text AS of, column_name::text AS name, data_type::text AS type, is_nullable::text AS nullable
       FROM information_schema.columns WHERE table_schema = current_schema()`,
    );
    await db.close();
    await database.giveBack();
    const catalogue: Shape = {};
    for (const { of, name, type, nullable } of rows) {
      if (WORKING_IN_POSTGRES.includes(of)) continue;
      const named = type === "integer" ? "int" : type;
      put(catalogue, of, name, `${named}${nullable === "YES" ? "?" : ""}`);
    }

    expect(catalogue).toEqual(
      Object.fromEntries(
        [...COPIED_TABLES, OPEN_ITEMS].map(({ name, postgres: { columns } }) => [
          name,
          shapeOf(columns, ({ type }) => type),
        ]),
      ),
    );
  });

  it("contains every column of SQLite, as in the file's catalogue", () => {
    const db = openDatabase(IN_MEMORY);
    migrate(db);
    const rows = db
      .prepare<{ of: string; name: string; type: string; required: number }>(
        `SELECT m.name AS of, c.name, c.type, c."notnull" OR c.pk > 0 AS required
         FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'`,
      )
      .all();
    db.close();
    const catalogue: Shape = {};
    for (const { of, name, type, required } of rows) {
      put(catalogue, of, name, `${type}${required === 1 ? "" : "?"}`);
    }

    const described = Object.fromEntries(
      COPIED_TABLES.map(({ name, columns }) => [
        name,
        shapeOf(columns, ({ type }) => (type === "text" ? "TEXT" : "INTEGER")),
      ]),
    );
    const { inputs, ...others } = described;
    expect(catalogue).toEqual({ ...others, ...OWN_OF_SQLITE });
    expect(Object.keys(catalogue["work"] ?? {})).toEqual(
      expect.arrayContaining(
        Object.keys(inputs ?? {}).map((name) => (name === "seq" ? "id" : name)),
      ),
    );
  });

  it("names the columns that identify the rows of a table", () => {
    for (const { names, key } of COPIED_TABLES)
      expect(names).toEqual(expect.arrayContaining([...key]));
  });
});
