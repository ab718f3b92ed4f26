import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BackupAbout } from "../../../src/runtime/store/sqlite/backup/backup-contents.ts";
import {
  checkBackup,
  completeBackup,
  copyStopped,
  restoreStore,
} from "../../../src/runtime/store/sqlite/backup/tasks.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { entriesOf, entry, item, moved, takenIn } from "./builders.ts";
import { folderPlace } from "./place.ts";

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
let outside: string;
beforeEach(async () => {
  place = await folderPlace();
  outside = await mkdtemp(join(tmpdir(), "answerback-backup-"));
  store = await place.open();
});
afterEach(async () => {
  await store.close();
  await place.remove();
  await rm(outside, { recursive: true });
});

const W = "w";
const inside = (name: string): string => join(place.folder, name);

/** Completes the backup in the file `copy`, which has only the store so far. Adds accounts.json. */
async function completed(copy: string, counts: Pick<BackupAbout, "entries" | "items">) {
  await writeFile(inside("accounts.json"), "accounts");
  await completeBackup(copy, place.folder, { ...counts, takenAt: 2_000, files: ["accounts.json"] });
  return copy;
}

/** Restores a backup into the data folder and opens its store. @returns The folder of the replaced files. */
async function restored(backup: string): Promise<string | undefined> {
  const { aside } = await restoreStore({
    backup,
    folder: place.folder,
    asideName: "aside",
    key: undefined,
    foreign: true,
  });
  store = await place.open();
  return aside;
}

/** Queues an outbox item that answers a message with the time `at`. */
async function answered(key: string, at = 1_000): Promise<void> {
  const leases = await store.lease(W, 15_000);
  await store.append([entry({ key, at, arrivedAt: at })]);
  const [input] = await store.fetch(leases, 9_999, 9);
  if (input?.kind !== "event") throw new Error("nothing to decide");
  const queued = item({ key: `item of ${key}`, seq: input.entry.seq });
  await store.commit(W, [takenIn(leases, input, { items: [queued] })]);
}

async function backedUp(): Promise<string> {
  await store.close();
  const copy = join(outside, "one.backup");
  await writeFile(copy, "");
  return completed(copy, await copyStopped(place.folder, copy));
}

describe("a held file", () => {
  it("is consistent, whatever is appended meanwhile", async () => {
    await answered("dm:1");
    const { path, entries, items } = await store.hold();
    const late = Array.from({ length: 200 }, (_, n) => entry({ key: `late:${n}` }));
    for (const one of late) await store.append([one]);
    const copy = join(outside, "copy");
    await copyFile(path, copy);

    expect(await store.letGo()).toBe(true);
    expect({ entries, items }).toEqual({ entries: 1, items: 1 });
    expect((await checkBackup(await completed(copy, { entries, items }))).entries).toBe(1);
    expect(await store.stats()).toMatchObject({ journal: 201 });
  });

  it("reports when the file changed during the copy", async () => {
    await store.hold();
    await store.hold();
    expect(await store.letGo()).toBe(true);
    expect(await store.letGo()).toBe(false);
  });
});

describe("a backup", () => {
  it("restores the backup's data, and moves existing data aside", async () => {
    await answered("dm:1");
    const backup = await backedUp();
    store = await place.open();
    await store.append([entry({ key: "dm:2" })]);
    await store.close();
    await writeFile(inside("accounts.json"), "newer");

    const aside = await restored(backup);
    expect((await store.journal({ limit: 9 })).map(({ key }) => key)).toEqual(["dm:1"]);
    expect(await readFile(inside("accounts.json"), "utf8")).toBe("accounts");
    expect(await readFile(join(aside ?? "", "accounts.json"), "utf8")).toBe("newer");
    expect((await readFile(join(aside ?? "", "store.db"))).length).toBeGreaterThan(0);
  });

  it("is not restored while a runtime uses the store", async () => {
    const backup = await backedUp();
    store = await place.open();

    await expect(restored(backup)).rejects.toMatchObject({ code: "store-locked" });
    expect(await store.stats()).toMatchObject({ journal: 0 });
  });

  it("is refused if it is truncated, changed, empty or another file, and nothing changes", async () => {
    await answered("dm:1");
    const backup = await backedUp();
    const bytes = await readFile(backup);
    for (const damaged of [
      bytes.subarray(0, 20_000),
      Buffer.from(bytes).fill(0xa7, 9_000, 19_000),
      Buffer.alloc(0),
      Buffer.from("lorem ipsum ".repeat(99)),
    ]) {
      await writeFile(backup, damaged);
      await expect(restored(backup)).rejects.toMatchObject({
        code: "store-corrupt",
        message: expect.stringContaining(backup),
      });
    }
    store = await place.open();
    expect(await store.stats()).toMatchObject({ journal: 1 });
  });
});

it("a refused backup leaves no folder that was created for it", async () => {
  const backup = join(outside, "not-a-backup");
  await writeFile(backup, "lorem ipsum");
  const folder = join(outside, "new", "deep", "data");
  const request = { backup, folder, asideName: "aside", key: undefined, foreign: true };

  await expect(restoreStore(request)).rejects.toMatchObject({ code: "store-corrupt" });

  expect(await readdir(outside, { recursive: true })).toEqual(["not-a-backup"]);
});

describe("a restored store", () => {
  it("marks unsent items, and later answers to earlier events, to be looked up first", async () => {
    await answered("dm:pending");
    await answered("dm:sending", 1_500);
    await answered("dm:sent");
    const leases = await store.lease(W, 15_000);
    const byKey = async (key: string) => {
      const match = (await store.items({ limit: 9 })).find((one) => one.key === `item of ${key}`);
      if (match === undefined) throw new Error(`no item of ${key}`);
      return match;
    };
    await store.changeItems(W, [moved(leases, await byKey("dm:sending"), "sending")]);
    await store.changeItems(W, [moved(leases, await byKey("dm:sent"), "sending")]);
    await store.changeItems(W, [moved(leases, await byKey("dm:sent"), "sent")]);
    await restored(await backedUp());

    expect(await store.startRestored(5_000, 600)).toBe(2);
    expect(await store.startRestored(6_000, 600)).toBe(0);
    await answered("dm:before", 4_000);
    await answered("dm:after", 5_000);
    expect(await byKey("dm:pending")).toMatchObject({ status: "unknown", notBefore: 5_600 });
    expect(await byKey("dm:sending")).toMatchObject({ status: "unknown" });
    expect(await byKey("dm:sent")).toMatchObject({ status: "sent" });
    expect(await byKey("dm:before")).toMatchObject({ status: "unknown", startedAt: 4_000 });
    expect(await byKey("dm:after")).toMatchObject({ status: "pending" });
    expect(await store.stats()).toMatchObject({ items: { unknown: 3, pending: 1, sent: 1 } });

    await store.close();
    store = await place.open();
    await answered("dm:late", 4_500);
    expect(await byKey("dm:late")).toMatchObject({ status: "unknown" });
    expect(entriesOf(await store.fetch(await store.lease(W, 15_000), 9_999, 9))).toEqual([]);
  });

  it("marks nothing in a transaction that is rolled back because of another call", async () => {
    const leases = await store.lease(W, 15_000);
    await store.append([entry({ key: "dm:1", at: 4_000 })]);
    const [input] = await store.fetch(leases, 9_999, 9);
    if (input?.kind !== "event") throw new Error("nothing to decide");
    const transition = takenIn(leases, input, { items: [item({ seq: input.entry.seq })] });
    const broken: ReturnType<typeof entry> = JSON.parse(
      JSON.stringify({ ...entry({ key: "dm:broken" }), body: undefined }),
    );

    const [committed, started, appended] = await Promise.allSettled([
      store.commit(W, [transition]),
      store.startRestored(5_000, 600, { account: "100", from: 1_000 }),
      store.append([broken]),
    ]);

    expect(appended).toMatchObject({ status: "rejected", reason: { code: "store-data" } });
    expect(committed).toMatchObject({ value: ["committed"] });
    expect(started).toMatchObject({ value: 1 });
  });
});
