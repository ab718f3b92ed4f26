import pg from "pg";
import { inject } from "vitest";
import { askDoor } from "../run/door.ts";
import { createDatabase } from "./server.ts";
import { keepAsNew, madeNew } from "./made-new.ts";

/** A database of the server that all tests of a run share. */
export interface TestDatabase {
  readonly url: string;
  /**
   * Says that it is now as it is to be for the next test, with the tables that a store makes; only the first time
   * that is said of a database counts.
   */
  asNew(): Promise<void>;
  /** For the next test, which finds it as it was {@link asNew}. */
  giveBack(): Promise<void>;
}

interface Database {
  readonly url: string;
  readonly pool: pg.Pool;
  isNew: Promise<void> | undefined;
}

let server: Promise<string> | undefined;
let made = 0;
const free: Database[] = [];

/**
 * A database for one test: empty, or as the first test left it when it was new. This process makes as many as it needs
 * at once, and uses them again and again: making one takes ten times as long as making it new.
 *
 * @param fresh It is empty, and dropped afterwards: for tests of how tables are made.
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
  made += 1;
  const name = `test_${process.pid}_${made}`;
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

/** One connection, which keeps nobody from ending. */
function poolOf(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
}
