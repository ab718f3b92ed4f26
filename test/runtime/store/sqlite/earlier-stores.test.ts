import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { openDatabase } from "../../../../src/runtime/store/sqlite/binding.ts";
import { SCHEMA_VERSION } from "../../../../src/runtime/store/sqlite/schema.ts";
import { entry, moved, takenIn } from "../builders.ts";
import { folderPlace } from "../place.ts";

const STORES = join(import.meta.dirname, "../../../fixtures/stores");

let place: Awaited<ReturnType<typeof folderPlace>>;
beforeEach(async () => {
  place = await folderPlace();
});
afterEach(() => place.remove());

const file = (name: string): string => join(place.folder, name);

/** Creates the store that a fixture describes. */
async function createStore(name: string): Promise<void> {
  await mkdir(place.folder);
  const db = openDatabase(file("store.db"));
  db.exec(await readFile(join(STORES, name), "utf8"));
  // Earlier versions of Answerback left their stores in this journal mode.
  db.exec("PRAGMA journal_mode = WAL");
  db.close();
}

/** Processes and sends everything that is open in a store. */
async function workedOff(store: Store) {
  const leases = await store.lease("w", 15_000);
  const sent: string[] = [];
  const inputs: string[] = [];
  for (;;) {
    const [next] = await store.dueItems(leases, NOW, 1);
    if (next === undefined) break;
    await store.changeItems("w", [moved(leases, next, "sending")]);
    await store.changeItems("w", [moved(leases, { ...next, status: "sending" }, "sent")]);
    sent.push("text" in next.action ? next.action.text : "");
  }
  for (;;) {
    const [next] = await store.fetch(leases, NOW, 1);
    if (next === undefined) break;
    const runs = "run" in next ? [{ ...next.run, status: "done" as const }] : [];
    await store.commit("w", [takenIn(leases, next, { runs })]);
    inputs.push("run" in next ? `${next.kind} ${next.run.id}` : next.entry.key);
  }
  return { inputs: inputs.toSorted(), sent };
}

/** Time at which all timers of the fixtures are due. */
const NOW = 6_000;
const EVENTS = ["dm:2", "dm:3"];
const RUNS = ["item-settled 1/rule:faq", "timer-due 1/rule:later"];

describe("a store of an earlier version is migrated and continues its open work:", () => {
  it.each([
    { name: "version-1.sql", version: 1, inputs: EVENTS },
    { name: "version-3.sql", version: 3, inputs: [...EVENTS, ...RUNS] },
    { name: "version-6.sql", version: 6, inputs: [...EVENTS, ...RUNS] },
    { name: "version-7.sql", version: 7, inputs: [...EVENTS, ...RUNS] },
  ])("$name", async ({ name, version, inputs }) => {
    await createStore(name);
    const migrated: unknown[] = [];

    const store = await place.open({ onMigrated: (one) => migrated.push(one) });
    expect(await workedOff(store)).toEqual({ inputs, sent: ["hi", "and this"] });
    expect(await store.append([entry({ key: "dm:1" })])).toEqual([
      { outcome: "duplicate", seq: 1 },
    ]);
    await store.close();

    const copy = file(`store.version-${version}.db`);
    expect(migrated).toEqual([{ from: version, to: SCHEMA_VERSION, copy }]);
    expect((await readdir(place.folder)).toSorted()).toEqual([
      "store.db",
      "store.id",
      `store.version-${version}.db`,
    ]);
    const again = await place.open();
    expect(await again.stats()).toMatchObject({ inbox: 0, items: { pending: 0, sent: 2 } });
    await again.close();
  });

  it("one whose process was killed, with its write-ahead log and an unfinished copy", async () => {
    const other = await folderPlace();
    await mkdir(other.folder);
    const db = openDatabase(join(other.folder, "store.db"));
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL");
    db.exec(await readFile(join(STORES, "version-3.sql"), "utf8"));
    await mkdir(place.folder);
    for (const name of ["store.db", "store.db-wal"]) {
      await copyFile(join(other.folder, name), file(name));
    }
    db.close();
    await other.remove();
    for (const name of ["store.db.next", "store.version-3.db.next"]) {
      await writeFile(file(name), "unfinished");
    }

    const store = await place.open();
    expect(await workedOff(store)).toMatchObject({ inputs: [...EVENTS, ...RUNS] });
    await store.close();
    expect((await readdir(place.folder)).toSorted()).toEqual([
      "store.db",
      "store.id",
      "store.version-3.db",
    ]);
  });
});

describe("a refused store stays as it was, byte by byte:", () => {
  const change = (sql: string) => async (): Promise<void> => {
    await createStore("version-3.sql");
    const db = openDatabase(file("store.db"));
    db.exec(sql);
    db.close();
  };

  it.each([
    {
      what: "a version whose step was changed later",
      make: () => createStore("version-2-early.sql"),
      message: "its tables do not match the schema version 2 that it states; an early version",
    },
    {
      what: "a version that another program has altered",
      make: change(
        "ALTER TABLE runs ADD COLUMN more TEXT; INSERT INTO meta VALUES ('written-by', '0.0.9')",
      ),
      message: "schema version 3 that it states; Answerback 0.0.9 or another program created them",
    },
    {
      what: "a row that the newer tables can't have",
      make: async () => {
        await createStore("version-1.sql");
        const db = openDatabase(file("store.db"));
        db.exec("UPDATE decisions SET runs = 'no JSON'");
        db.close();
      },
      message: `the store can't be migrated from schema version 1 to ${SCHEMA_VERSION}: malformed JSON`,
    },
    {
      what: "tables of another program",
      make: async () => {
        await mkdir(place.folder);
        const db = openDatabase(file("store.db"));
        db.exec("CREATE TABLE songs (title TEXT); PRAGMA journal_mode = WAL");
        db.close();
      },
      message: "the file has tables that no version of Answerback has created",
    },
  ])("$what", async ({ make, message }) => {
    await make();
    const before = await readFile(file("store.db"));

    await expect(place.open()).rejects.toMatchObject({
      code: "store-schema",
      message: expect.stringContaining(message),
      hint: expect.stringContaining("answerback restore FILE"),
    });
    expect(await readdir(place.folder)).toEqual(["store.db"]);
    expect((await readFile(file("store.db"))).equals(before)).toBe(true);
  });
});
