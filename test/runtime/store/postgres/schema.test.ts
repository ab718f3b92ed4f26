import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore, type StoreOptions } from "../../../../src/runtime/store/open.ts";
import { PostgresDatabase } from "../../../../src/runtime/store/postgres/database.ts";
import { STEPS } from "../../../../src/runtime/store/postgres/schema-steps.ts";
import {
  type StoreMigration,
  type WriterChange,
  writtenStats,
} from "../../../../src/runtime/store/written-by.ts";
import { packageVersion } from "../../../../src/system/package-version.ts";
import { testDatabase, type TestDatabase } from "../../../postgres/databases.ts";
import { when } from "../../../support/when.ts";
import { entry } from "../builders.ts";

let database: TestDatabase;
let db: PostgresDatabase;
beforeEach(async () => {
  database = await testDatabase({ fresh: true });
  db = new PostgresDatabase(database.url);
});
afterEach(async () => {
  await db.close();
  await database.giveBack();
});

const open = (options?: StoreOptions) => openStore(database.url, options);
const tables = () => db.query("SELECT relname FROM pg_stat_user_tables ORDER BY relname");

describe("the tables of a store in PostgreSQL", () => {
  it("are refused and unchanged if a column differs from their version", async () => {
    await (await open()).close();
    await db.query("ALTER TABLE runs ALTER COLUMN version TYPE bigint");

    await expect(open()).rejects.toMatchObject({
      code: "store-schema",
      message: expect.stringMatching(
        /do not match the schema version 7 that it states; Answerback \d+\.\d+\.\d+ or another program/,
      ),
      hint: expect.stringContaining("nothing was changed"),
    });
  });

  it("are not created beside tables of another program with the same names", async () => {
    await db.query("CREATE TABLE items (price int)");

    await expect(open()).rejects.toMatchObject({
      code: "store-schema",
      message: "the file has tables that no version of Answerback has created",
    });
    expect(await tables()).toEqual([{ relname: "items" }]);
  });

  it("are accepted with additions of an administrator: a table, an index", async () => {
    await (await open()).close();
    await db.query("CREATE TABLE notes (text text); CREATE INDEX more ON journal (arrived_at)");

    const store = await open();
    expect(await store.append([entry()])).toMatchObject([{ outcome: "new" }]);
    await store.close();
  });

  it("of a newer version are refused with the version that they need, and unchanged", async () => {
    await (await open()).close();
    await db.query(
      "UPDATE schema_version SET version = 8; UPDATE meta SET value = '9.8.7' WHERE name = 'written-by'",
    );

    await expect(open()).rejects.toMatchObject({
      code: "store-schema",
      message: `Answerback 9.8.7 wrote the store, with schema version 8; Answerback ${packageVersion()} reads up to 7`,
      hint: "run Answerback 9.8.7 or newer, or name another database",
    });
    await expect(open({ readOnly: true })).rejects.toMatchObject({ code: "store-schema" });
    expect(await db.query("SELECT value FROM meta WHERE name = 'written-by'")).toEqual([
      { value: "9.8.7" },
    ]);
  });

  it("of a newer version whose writer did not record itself name no version", async () => {
    await (await open()).close();
    await db.query("UPDATE schema_version SET version = 8");

    await expect(open()).rejects.toMatchObject({
      message: expect.stringMatching(/^a newer version of Answerback wrote the store, with schema/),
      hint: "run the version that wrote it or newer, or name another database",
    });
  });

  it("name the version that wrote them before, once", async () => {
    const reported: WriterChange[] = [];
    const onWriter = (change: WriterChange): void => void reported.push(change);
    await (await open({ onWriter })).close();
    await db.query("UPDATE meta SET value = '0.0.9' WHERE name = 'written-by'");
    await (await open({ onWriter })).close();
    const last = await open({ onWriter });

    expect(reported).toEqual([{ from: "0.0.9", to: packageVersion() }]);
    expect(await writtenStats(last)).toMatchObject({ writtenBy: packageVersion() });
    await last.close();
  });

  it("are unchanged if a step fails in the middle", async () => {
    const [first = ""] = STEPS;
    await db.query(
      `${first}; CREATE TABLE schema_version (version int); INSERT INTO schema_version VALUES (1)`,
    );
    await db.query("CREATE INDEX open_items_unknown ON journal (lane)");
    const before = await tables();

    await expect(open()).rejects.toThrow("open_items_unknown");
    expect(await tables()).toEqual(before);
    expect(await db.query("SELECT version FROM schema_version")).toEqual([{ version: 1 }]);
  });

  it("of an older version are migrated with their data", async () => {
    const store = await open();
    await store.append([entry()]);
    await store.close();
    await db.query(
      "DROP INDEX open_items_unknown, open_items_set_aside; CREATE INDEX open_items_partition ON open_items (partition, id); ALTER TABLE items DROP COLUMN heard, DROP COLUMN result; UPDATE schema_version SET version = 1",
    );

    const migrated: StoreMigration[] = [];
    const again = await open({ onMigrated: (one) => migrated.push(one) });
    expect(await again.append([entry()])).toMatchObject([{ outcome: "duplicate" }]);
    await again.close();
    await (await open({ onMigrated: (one) => migrated.push(one) })).close();
    expect(migrated).toEqual([{ from: 1, to: 7 }]);
    expect(await db.query("SELECT version FROM schema_version")).toEqual([{ version: 7 }]);
  });

  it("are migrated in a database that publishes all tables for logical replication", async () => {
    await (await open()).close();
    await db.query(
      `DROP INDEX open_items_set_aside; CREATE INDEX open_items_partition ON open_items (partition, id);
       UPDATE schema_version SET version = 6; CREATE PUBLICATION everything FOR ALL TABLES`,
    );

    await (await open()).close();
    expect(await db.query("SELECT version FROM schema_version")).toEqual([{ version: 7 }]);
  });

  it("are migrated after a long transaction that reads them, for which other processes need not wait", async () => {
    const [store, reader] = [await open(), new PostgresDatabase(database.url)];
    await db.query(
      `DROP INDEX open_items_set_aside; CREATE INDEX open_items_partition ON open_items (partition, id);
       UPDATE schema_version SET version = 6`,
    );
    const migrated: StoreMigration[] = [];
    let opening: ReturnType<typeof open> | undefined;
    await reader.transaction(async (tx) => {
      await tx.query("SELECT count(*) FROM open_items");
      opening = open({ onMigrated: (one) => migrated.push(one) });
      await when(async () => {
        const waiting = await db.query("SELECT 1 FROM pg_locks WHERE NOT granted");
        return waiting.length > 0 ? true : undefined;
      });
      // The statement waits behind the migration, and would wait until the end of this transaction.
      expect((await store.dueItems(await store.lease("w", 60_000), 1, 1)).length).toBe(0);
      expect(migrated).toEqual([]);
    });
    await (await opening)?.close();
    expect(migrated).toEqual([{ from: 6, to: 7 }]);
    for (const one of [store, reader]) await one.close();
  });

  it("of an older version count items that the operator dropped apart from failed ones", async () => {
    const store = await open();
    await store.close();
    await db.query(
      `INSERT INTO items (id, key, run, seq, account, lane, partition, action, priority, status, not_before, reason)
       SELECT n, n::text, 'r', 1, 'a', 'a/b', 0, '{}', 0, 'failed', 0,
         CASE WHEN n = 1 THEN 'the platform refused it' ELSE 'dropped by the operator' END
       FROM generate_series(1, 3) AS n`,
    );
    await db.query(
      "INSERT INTO counts (writer, name, n) VALUES ('before', 'item.failed', 3); DROP INDEX open_items_set_aside; CREATE INDEX open_items_partition ON open_items (partition, id); ALTER TABLE items DROP COLUMN result; UPDATE schema_version SET version = 4",
    );

    const again = await open();
    expect((await again.stats()).items).toMatchObject({ failed: 1, dropped: 2 });
    await again.close();
  });
});
