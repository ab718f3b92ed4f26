import { stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../../src/runtime/store/open.ts";
import { packageVersion } from "../../../src/system/package-version.ts";
import type { WriterChange } from "../../../src/runtime/store/written-by.ts";
import { openDatabase } from "../../../src/runtime/store/sqlite/binding.ts";
import { SCHEMA_VERSION } from "../../../src/runtime/store/sqlite/schema.ts";
import { entriesOf, entry, takenIn } from "./builders.ts";
import { folderPlace } from "./place.ts";
import { runChild } from "./child.ts";

describe("opening a store", () => {
  let place: Awaited<ReturnType<typeof folderPlace>>;

  beforeEach(async () => {
    place = await folderPlace();
  });
  afterEach(() => place.remove());

  it.each([
    { url: "./data", say: "names no folder", why: "the word file: is missing" },
    { url: "file:", say: "names no folder", why: "the folder is missing" },
  ])("refuses $url and explains what to write: $why", async ({ url, say }) => {
    const error: unknown = await openStore(url).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: "store-url", retryable: false });
    expect(JSON.stringify(error) + String(error)).toContain(say);
  });

  it.each([
    { form: "an absolute path", url: (folder: string) => `file:${folder}` },
    { form: "a file URL", url: (folder: string) => pathToFileURL(folder).href },
    { form: "a path relative to the base", url: () => "file:./data" },
  ])("accepts $form", async ({ url }) => {
    const store = await openStore(url(place.folder), { base: dirname(place.folder) });
    await store.close();

    expect((await stat(join(place.folder, "store.db"))).isFile()).toBe(true);
  });

  it("makes folder and files accessible to their owner only", async () => {
    const store = await place.open();
    await store.append([entry()]);

    for (const name of ["", "store.db", "store.db-wal"]) {
      expect((await stat(join(place.folder, name))).mode & 0o077).toBe(0);
    }
    await store.close();
  });

  it("reports to another opener in the same process that a runtime uses it", async () => {
    const store = await place.open();

    await expect(place.open()).rejects.toMatchObject({
      code: "store-locked",
      message: expect.stringContaining(place.folder),
    });
    await store.close();
    await (await place.open()).close();
  });

  it("reports to an opener in another process that a runtime uses it", async () => {
    const store = await place.open();
    const child = runChild("open", place.folder);

    expect(await child.ended).toContain("store-locked");
    await store.close();
  });

  it("refuses files of a newer version and does not change them", async () => {
    await (await place.open()).close();
    const db = openDatabase(join(place.folder, "store.db"));
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    db.exec("INSERT OR REPLACE INTO meta (name, value) VALUES ('written-by', '9.8.7')");
    db.close();

    await expect(place.open()).rejects.toMatchObject({
      code: "store-schema",
      message: expect.stringContaining(
        `store.db: Answerback 9.8.7 wrote the store, with schema version ${SCHEMA_VERSION + 1}; Answerback ${packageVersion()} reads up to ${SCHEMA_VERSION}`,
      ),
      hint: "run Answerback 9.8.7 or newer, or choose another folder",
    });
  });

  it("refuses files of a newer version that name no writer", async () => {
    await (await place.open()).close();
    const db = openDatabase(join(place.folder, "store.db"));
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}; DROP TABLE meta`);
    db.close();

    await expect(place.open()).rejects.toMatchObject({
      message: expect.stringMatching(
        /: a newer version of Answerback wrote the store, with schema/,
      ),
    });
  });

  it("reports the version that wrote the store before, once: the newer one writes it from then on", async () => {
    const url = `file:${place.folder}`;
    const reported: WriterChange[] = [];
    const onWriter = (change: WriterChange): void => void reported.push(change);
    const store = await openStore(url, { onWriter });
    await store.setMeta("written-by", "0.0.9");
    await store.close();
    await (await openStore(url, { onWriter })).close();
    await (await openStore(url, { onWriter })).close();

    expect(reported).toEqual([{ from: "0.0.9", to: packageVersion() }]);
  });

  it("refuses a folder that can't be created", async () => {
    await writeFile(place.folder, "");

    await expect(place.open()).rejects.toMatchObject({ code: "store-io" });
  });
});

describe("a store on a full disk", () => {
  const body = "x".repeat(10_000);

  it("rejects data that it can't store, loses nothing, and continues when there is space", async () => {
    const place = await folderPlace({ maxBytes: 600_000 });
    const store = await place.open();
    const leases = await store.lease("w", 15_000);
    const acknowledged: string[] = [];
    const refusals: unknown[] = [];
    for (let n = 0; refusals.length === 0; n++) {
      const key = `dm:${n}`;
      await store.append([entry({ key, lane: key, body })]).then(
        () => acknowledged.push(key),
        (error: unknown) => refusals.push(error),
      );
    }

    expect(refusals[0]).toMatchObject({ code: "store-full", retryable: true });
    const open = await store.fetch(leases, 0, 1_000);
    expect(entriesOf(open).map((one) => one.key)).toEqual(acknowledged);
    const short = open.map((one) => takenIn(leases, one));
    for (const one of short) await store.commit("w", [one]);
    expect(await store.prune({ before: 5_000, now: 0 })).toBe(acknowledged.length);
    expect(await store.append([entry({ key: "dm:after", body })])).toMatchObject([
      { outcome: "new" },
    ]);

    await store.close();
    await place.remove();
  });
});
