import pg from "pg";
import { inject } from "vitest";
import { askDoor } from "../run/door.ts";
import { createDatabase } from "./server.ts";
import { keepAsNew, madeNew } from "./made-new.ts";

/** A database on the server that all tests of a run share. */
export interface TestDatabase {
  readonly url: string;
  /**
   * Marks the current state, with the tables of a store, as the state that the next test gets. Only the first call for
   * a database counts.
   */
  asNew(): Promise<void>;
  /** Returns the database for the next test, which gets it in the state of {@link asNew}. */
  giveBack(): Promise<void>;
}

interface Database {
  readonly url: string;
  readonly pool: pg.Pool;
  isNew: Promise<void> | undefined;
}

let server: Promise<string> | undefined;
let count = 0;
const free: Database[] = [];

/**
 * Provides a database for one test: empty, or in the state that the first test marked with {@link TestDatabase.asNew}.
 * This process creates as many as it needs at once, and reuses them: creating one takes ten times as long as resetting
 * it.
 *
 * @param fresh Whether to return an empty database that is dropped afterwards, for tests of how tables are created.
 */
export async function testDatabase({ fresh = false } = {}): Promise<TestDatabase> {
  const database = (fresh ? undefined : free.pop()) ?? (await make());
  return {
    url: database.url,
    asNew: () => (database.isNew ??= keepAsNew(database.pool)),
    async giveBack() {
      const isAsNew = !fresh && database.isNew !== undefined && (await madeNew(database.pool));
      if (isAsNew) free.push(database);
      else await drop(database);
    },
  };
}

async function make(): Promise<Database> {
  server ??= askDoor(inject("postgres"));
  count += 1;
  const name = `test_${process.pid}_${count}`;
  const url = new URL(await server);
  await createDatabase(url.href, name);
  url.pathname = name;
  return { url: url.href, pool: poolOf(url.href), isNew: undefined };
}

async function drop({ url, pool }: Database): Promise<void> {
  await pool.end();
  const admin = poolOf(await (server ?? askDoor(inject("postgres"))));
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
}

/** Pool of one connection, which does not keep the process from ending. */
function poolOf(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
}
