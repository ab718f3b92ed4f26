import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../src/runtime/store/sqlite/binding.ts";
import type { StoreMigration } from "../../../src/runtime/store/written-by.ts";
import { migrate, SCHEMA_VERSION } from "../../../src/runtime/store/sqlite/schema.ts";
import { entriesOf, entry } from "./builders.ts";
import { folderPlace } from "./place.ts";

let place: Awaited<ReturnType<typeof folderPlace>>;
beforeEach(async () => {
  place = await folderPlace();
});
afterEach(() => place.remove());

/** Creates a store file of the first schema version, with a decided and an undecided message and a sent item. */
async function firstVersion(): Promise<void> {
  await mkdir(place.folder);
  const db = openDatabase(join(place.folder, "store.db"));
  migrate(db, 1);
  const run = { id: "1/rule:faq", owner: "rule:faq", revision: "r1", status: "done", steps: "[]" };
  const action = JSON.stringify({ type: "reply_dm", to: "200", text: "hi" });
  const state = JSON.stringify({ value: 5, expiresAt: 9_000 });
  db.exec(`
    INSERT INTO journal VALUES
      (1, 'dm:1', '100', '100/200', 'message', 1, 1, 'webhook', '{}'),
      (2, 'dm:2', '100', '100/200', 'message', 2, 2, 'webhook', '{}'),
      (3, 'item.settled:1', '100', '100/200', 'item.settled', 3, 3, 'internal', '{}'),
      (4, 'dm:4', '100', '100/200', 'message', 4, 4, 'webhook', '{}');
    INSERT INTO inbox (seq, lane) VALUES (2, '100/200'), (3, '100/200');
    INSERT INTO decisions VALUES
      (1, 'done', 0, 1, '{"verdicts":[]}', '${JSON.stringify([run])}'),
      (4, 'parked', 4, 4, '{"error":"x"}', '[]');
    INSERT INTO state VALUES ('cooldown/faq', '${state}');
    INSERT INTO items (id, key, seq, account, lane, action, status, not_before)
      VALUES (1, 'k', 1, '100', '100/200', '${action}', 'unknown', 0);
    INSERT INTO counters VALUES ('seq', 4), ('item', 1), ('inbox', 2), ('journal', 4),
      ('item.unknown', 1), ('epoch', 7);
  `);
  db.close();
}

it("migrates a store of the first version with all its data", async () => {
  await firstVersion();

  const store = await place.open();
  const leases = await store.lease("me", 15_000);
  const run = {
    id: "1/rule:faq",
    seq: 1,
    owner: "rule:faq",
    account: "100",
    lane: "100/200",
    revision: "r1",
    status: "done",
    body: "[]",
  };

  const rows = await store.journal({ limit: 9 });
  expect(rows.map(({ key, state }) => [key, state])).toEqual([
    ["dm:4", "dead-lettered"],
    ["dm:2", "open"],
    ["dm:1", "done"],
  ]);
  expect(rows.at(-1)?.runs).toEqual([run]);
  expect(entriesOf(await store.fetch(leases, 9, 9)).map(({ key }) => key)).toEqual(["dm:2"]);
  expect((await store.load(["cooldown/faq"])).get("cooldown/faq")).toEqual({
    value: "5",
    version: 1,
    expiresAt: 9_000,
  });
  expect(await store.items({ limit: 9 })).toMatchObject([{ id: 1, status: "unknown", run: "" }]);
  const unknown = await store.openItems(leases, { status: "unknown", after: 0, limit: 9 });
  expect(unknown.map(({ id }) => id)).toEqual([1]);
  expect(await store.stats()).toMatchObject({ inbox: 1, journal: 3, runs: { ready: 0 } });
  expect(leases[0]?.epoch).toBe(8);
  const [appended] = await store.append([entry({ key: "dm:5" })]);
  expect(appended).toMatchObject({ outcome: "new", seq: 5 });
  await store.close();
});

it("keeps the file of an older version beside the migrated store, and reports where", async () => {
  await firstVersion();
  const migrations: StoreMigration[] = [];

  await (await place.open({ onMigrated: (migrated) => migrations.push(migrated) })).close();
  const copy = join(place.folder, "store.version-1.db");
  expect(migrations).toEqual([{ from: 1, to: SCHEMA_VERSION, copy }]);
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  const db = openDatabase(copy);
  expect(db.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: 1 });
  expect(db.prepare("SELECT count(*) AS n FROM journal").get()).toMatchObject({ n: 4 });
  db.close();
  await (await place.open({ onMigrated: (migrated) => migrations.push(migrated) })).close();
  expect(migrations).toHaveLength(1);
});
