import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPostgresStore } from "../../../src/runtime/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { testDatabase, type TestDatabase } from "../../postgres/databases.ts";
import { when } from "../../support/when.ts";
import { entries } from "./builders.ts";

const ENTRIES = 5_000;

describe("a PostgreSQL store of many entries", () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeEach(async () => {
    database = await testDatabase({ fresh: true });
    const store = await openPostgresStore(database.url);
    await store.append(entries("100/1", ENTRIES));
    await store.close();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("DELETE FROM inputs WHERE seq < (SELECT max(seq) FROM inputs)");
    await client.query("VACUUM ANALYZE");
  });
  afterEach(async () => {
    await client.end();
    await database.giveBack();
  });

  /** Counts the rows of the table `journal` that PostgreSQL reads for a query. */
  async function read(query: (store: Store) => Promise<unknown>): Promise<number> {
    const before = await counted();
    const store = await openPostgresStore(database.url);
    await query(store);
    await store.close();
    // PostgreSQL publishes a connection's statistics when the connection ends.
    return when(async () => {
      const after = await counted();
      return after.inputs > before.inputs ? after.journal - before.journal : undefined;
    });
  }

  async function counted(): Promise<{ readonly journal: number; readonly inputs: number }> {
    const { rows } = await client.query<{ relname: string; scans: number; fetched: number }>(
      `SELECT relname, idx_scan::int AS scans, (idx_tup_fetch + seq_tup_read)::int AS fetched
       FROM pg_stat_user_tables WHERE relname IN ('journal', 'inputs')`,
    );
    const of = (name: string) => rows.find(({ relname }) => relname === name);
    return { journal: of("journal")?.fetched ?? 0, inputs: of("inputs")?.scans ?? 0 };
  }

  it("counts entries without reading them", async () => {
    expect(await read((store) => store.stats())).toBeLessThan(5);
  });

  it("reports the backlog of its partitions without reading the entries", async () => {
    const rowsRead = read(async (store) => store.partitionLag(await store.lease("w", 10_000)));

    expect(await rowsRead).toBeLessThan(5);
  });
});
