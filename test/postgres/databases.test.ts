import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { endPool, testDatabase, type TestDatabase } from "./databases.ts";

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.giveBack();
});

async function take(options?: { fresh: boolean }): Promise<TestDatabase> {
  const database = await testDatabase(options);
  databases.push(database);
  return database;
}

async function ask(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let rows: unknown[] = [];
  for (const text of statements) rows = (await client.query({ text, rowMode: "array" })).rows;
  await client.end();
  return rows.flat();
}

const TABLES = [
  "CREATE SCHEMA kept",
  "CREATE TABLE kept.meta (name text PRIMARY KEY, value text)",
  "CREATE TABLE kept.journal (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, twice bigint GENERATED ALWAYS AS (1) STORED, lane text)",
  "CREATE TABLE kept.inbox (seq bigint REFERENCES kept.journal)",
  "INSERT INTO kept.meta VALUES ('version', '1')",
  "INSERT INTO kept.journal (lane) VALUES ('first')",
];

const rows = "SELECT lane FROM kept.journal UNION ALL SELECT value FROM kept.meta";
const append =
  "WITH one AS (INSERT INTO kept.journal (lane) VALUES ('next') RETURNING seq) INSERT INTO kept.inbox SELECT seq FROM one RETURNING seq::int";

/** Opens a database as a test does: uses the tables if they exist, and creates them otherwise. */
async function opened(options?: { fresh: boolean }): Promise<TestDatabase> {
  const database = await take(options);
  const hasTables = await ask(database.url, "SELECT to_regnamespace('kept') IS NOT NULL");
  if (hasTables[0] === false) await ask(database.url, ...TABLES);
  await database.asNew();
  return database;
}

describe("a database for a test", () => {
  it("is the same one as before, in its new state", async () => {
    const first = await opened();
    expect(await ask(first.url, append, append)).toEqual([3]);
    await ask(first.url, "UPDATE kept.meta SET value = '2'");
    await databases.pop()?.giveBack();

    const second = await opened();

    expect(second.url).toBe(first.url);
    expect(await ask(second.url, rows)).toEqual(["first", "1"]);
    expect(await ask(second.url, append)).toEqual([2]);
  });

  it("is another one if the first is in use or has a further table", async () => {
    const [first, second] = [await opened(), await opened()];
    expect(second.url).not.toBe(first.url);
    for (const { url } of [first, second]) await ask(url, "CREATE TABLE more (n int)");
    for (const database of databases.splice(0)) await database.giveBack();

    const third = await opened();

    expect([first.url, second.url]).not.toContain(third.url);
    await expect(ask(first.url, "SELECT 1")).rejects.toThrow("does not exist");
  });

  it("is empty if a test requests a fresh one", async () => {
    const { url } = await take({ fresh: true });

    expect(await ask(url, "SELECT to_regnamespace('kept')")).toEqual([null]);
  });

  it("is dropped only after the connection to it has ended", async () => {
    const { url } = await take({ fresh: true });
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const connectionEnded = vi.fn();
    pool.on("remove", connectionEnded);
    await pool.query("SELECT 1");

    await endPool(pool);

    expect(connectionEnded).toHaveBeenCalledOnce();
  });

  it("is returned although a transaction is still open", async () => {
    const database = await opened();
    const client = new pg.Client({ connectionString: database.url });
    const errors: string[] = [];
    client.on("error", (error) => errors.push(error.message));
    await client.connect();
    await client.query("BEGIN");
    await client.query("LOCK TABLE kept.journal");

    await databases.pop()?.giveBack();

    await expect.poll(() => errors.join()).toContain("terminating connection");
  });
});
