import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { entry } from "./builders.ts";
import { runChild } from "./child.ts";
import { folderPlace } from "./place.ts";

let place: Awaited<ReturnType<typeof folderPlace>>;
beforeEach(async () => {
  place = await folderPlace();
});
afterEach(() => place.remove());

const file = (name: string): string => join(place.folder, name);

/** Returns the reason why the store can't be opened. */
async function refusal(): Promise<StoreError> {
  const opened: unknown = await place.open().catch((error: unknown) => error);
  if (opened instanceof StoreError) return opened;
  throw new Error("the store was opened");
}

async function appended(): Promise<Store> {
  const store = await place.open();
  await store.append([entry()]);
  return store;
}

/** Appends to the store in another process and kills that process, so that the folder looks as after a killed bot. */
async function killed(): Promise<void> {
  const child = runChild("append", place.folder, "0");
  await child.printed(50);
  child.kill();
  await child.ended;
}

describe("a folder that had a store", () => {
  it.each([
    { what: "is gone", change: () => rm(file("store.db")) },
    { what: "is empty", change: () => truncate(file("store.db")) },
  ])("does not get a new store if the old one $what", async ({ change }) => {
    await (await appended()).close();
    await change();

    const { code, message, hint } = await refusal();
    expect(code).toBe("store-gone");
    expect(message).toContain(place.folder);
    expect(hint).toContain("answerback restore");
    expect(existsSync(file("store.id"))).toBe(true);
  });

  it("is not created again if only the write-ahead log is left", async () => {
    await killed();
    await rm(file("store.db"));
    await rm(file("store.id"));

    expect((await refusal()).code).toBe("store-gone");
  });

  it("reports a missing write-ahead log after a kill, and how to continue without it", async () => {
    await killed();
    await rename(file("store.db-wal"), file("elsewhere"));

    const { code, message, hint } = await refusal();
    expect(code).toBe("store-gone");
    expect(message).toContain("store.db-wal is missing");
    await rm(/rm (\S+)/.exec(hint ?? "")?.[1] ?? "");
    await (await place.open()).close();
  });

  it("needs no log after the store was closed", async () => {
    await (await appended()).close();
    expect(existsSync(file("store.db-wal"))).toBe(false);

    const store = await place.open();
    expect(await store.stats()).toMatchObject({ journal: 1 });
    await store.close();
  });

  it("recovers the store and the log that a kill left behind", async () => {
    await killed();

    const store = await place.open();
    expect((await store.stats()).journal).toBeGreaterThan(0);
    await store.close();
  });

  it("refuses the store of another folder", async () => {
    const other = await folderPlace();
    await (await other.open()).close();
    await (await appended()).close();
    await copyFile(join(other.folder, "store.db"), file("store.db"));

    expect((await refusal()).message).toContain("not the store that store.id names");
    await other.remove();
  });

  it.each(["", "{", '{"id":5}'])("uses the store if store.id contains %j", async (text) => {
    await (await appended()).close();
    const before = await readFile(file("store.id"), "utf8");
    await writeFile(file("store.id"), text);

    await (await place.open()).close();
    expect(await readFile(file("store.id"), "utf8")).toBe(before);
  });
});

describe("an open store whose folder was renamed and replaced", () => {
  it("acknowledges no more writes, does not touch the new folder, and is complete once the old one is back", async () => {
    let died: StoreError | undefined;
    const store = await place.open({ onDied: (error) => (died = error) });
    await store.append([entry()]);
    await rename(place.folder, `${place.folder}.renamed`);
    await mkdir(place.folder);

    await expect(store.append([entry({ key: "late" })])).rejects.toMatchObject({
      code: "store-gone",
    });
    expect(died?.code).toBe("store-gone");
    await store.close();
    expect(await readdir(place.folder)).toEqual([]);

    await rm(place.folder, { recursive: true });
    await rename(`${place.folder}.renamed`, place.folder);
    const again = await place.open();
    expect((await again.append([entry()]))[0]).toMatchObject({ outcome: "duplicate" });
    await again.close();
  });
});

describe("a damaged store", () => {
  it("is refused if its file is no store", async () => {
    await mkdir(place.folder);
    await writeFile(file("store.db"), "lorem ipsum ".repeat(1_000));

    const { code, hint } = await refusal();
    expect(code).toBe("store-corrupt");
    expect(hint).toContain("answerback restore");
  });

  it.each([
    { what: "cut short", damage: () => truncate(file("store.db"), 40_000) },
    { what: "torn in the middle", damage: () => scribble(40_000, 6_000) },
    { what: "torn at its beginning", damage: () => scribble(100, 1_000) },
  ])("is refused at the start when it is $what", async ({ damage }) => {
    const store = await place.open();
    for (let n = 0; n < 20; n++) {
      await store.append(
        Array.from({ length: 20 }, (_, m) => entry({ key: `dm:${n}-${m}`, body: "x".repeat(900) })),
      );
    }
    await store.close();
    await damage();

    const { code, message, hint } = await refusal();
    expect(code).toBe("store-corrupt");
    expect(message).toContain(place.folder);
    expect(hint).toContain("answerback restore");
  });

  it("reports damage that occurs while it is open, and accepts no more writes", async () => {
    // A store of this size is not checked as a whole when it opens.
    const body = "x".repeat(9_000);
    let died: StoreError | undefined;
    const store = await place.open();
    for (let n = 0; n < 2_000; n += 500) {
      const keys = Array.from({ length: 500 }, (_, m) => `dm:${n + m}`);
      await store.append(keys.map((key) => entry({ key, body })));
    }
    await store.close();
    const again = await place.open({ onDied: (error) => (died = error) });
    await scribble(1_000_000, 15_000_000);

    const failed: unknown = await again.journal({ limit: 2_000 }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreError);
    expect(failed).toMatchObject({ code: "store-corrupt", retryable: false });
    expect(died?.code).toBe("store-corrupt");
    await expect(again.append([entry({ key: "late" })])).rejects.toMatchObject({
      code: "store-corrupt",
    });
    await again.close();
  });
});

/** Overwrites a part of the store with invalid data. */
async function scribble(from: number, bytes: number): Promise<void> {
  const handle = await open(file("store.db"), "r+");
  await handle.write(Buffer.alloc(bytes, 0xa7), 0, bytes, from);
  await handle.close();
}
