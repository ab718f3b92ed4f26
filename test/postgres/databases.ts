import { once } from "node:events";
import pg from "pg";
import { inject } from "vitest";
import { askDoor } from "../run/door.ts";
import { createDatabase } from "./server.ts";
import { keepAsNew, madeNew } from "./made-new.ts";

/** Database on the PostgreSQL server that all tests of a test run share. */
export interface TestDatabase {
  readonly url: string;
  /**
   * Marks the current state of the database, with the tables of a store, as the state in which the next test gets it.
   * Later calls for the same database have no effect.
   */
  asNew(): Promise<void>;
  /** Gives the database back. The next test gets it in the state that {@link asNew} marked. */
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
 * Provides a database for one test: empty, or in the state that an earlier test marked with {@link TestDatabase.asNew}.
 * Databases are reused, because creating a database takes ten times as long as resetting it.
 *
 * @param fresh Whether to return an empty database that is dropped afterwards, for tests of the creation of tables.
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
  await endPool(pool);
  const admin = poolOf(await (server ?? askDoor(inject("postgres"))));
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
}

/**
 * Ends a pool of one connection, and waits until the connection has ended. {@link pg.Pool.end} does not wait for it: if
 * the database is dropped meanwhile, the server reports an error to the connection.
 */
export async function endPool(pool: pg.Pool): Promise<void> {
  const connectionEnds = pool.totalCount === 0 ? undefined : once(pool, "remove");
  await pool.end();
  await connectionEnds;
}

/** Creates a pool of one connection, which does not keep the process running. */
function poolOf(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
}
