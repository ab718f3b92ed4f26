import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAccounts } from "../../../../src/runtime/accounts/registry.ts";
import { openStore } from "../../../../src/runtime/store/open.ts";
import { openDatabase } from "../../../../src/runtime/store/sqlite/binding.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { testDatabase, type TestDatabase } from "../../../postgres/databases.ts";
import { begin } from "../../../support/command-line.ts";
import { entry } from "../builders.ts";

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-move-"));
  database = await testDatabase({ fresh: true });
});
afterEach(async () => {
  await database.giveBack();
  await rm(folder, { recursive: true });
});

const move = (from: string, to: string, env: Readonly<Record<string, string>> = {}) =>
  begin({ cwd: folder, env }, ["move", "--from", from, "--to", to]).ended;

const filled = async (url: string, more: (store: Store) => Promise<unknown> = async () => {}) => {
  const store = await openStore(url, { base: folder });
  await store.append([entry()]);
  await more(store);
  await store.close();
};

describe("a move is refused", () => {
  it("while a runtime uses the folder", async () => {
    const store = await openStore("file:data", { base: folder });
    const { code, err } = await move("file:data", database.url);
    await store.close();

    expect(code).toBe(1);
    expect(err).toContain("another runtime holds this store");
  });

  it.each(["as it is moved", "as it is moved to"])(
    "while a process uses the database, %s",
    async (way) => {
      await filled("file:data");
      const store = await openStore(database.url);
      await store.attend("receiver-1", "{}", 60_000);
      const { code, err } = await (way === "as it is moved"
        ? move(database.url, "file:new/deep/data")
        : move("file:data", database.url));
      await store.close();

      expect(code).toBe(1);
      expect(err).toContain("is in use: receiver-1");
      expect(await readdir(folder)).toEqual(["data"]);
    },
  );

  it("into a target that is not empty", async () => {
    await filled("file:data");
    await filled("file:other");
    await filled(database.url);

    expect((await move("file:data", database.url)).err).toContain("is not empty");
    expect((await move(database.url, "file:other")).err).toContain("is not empty: it has store.db");
  });

  it.each([
    {
      from: "file:data",
      to: "file:./data",
      says: "both the current and the new place of the store",
    },
    { from: "file:data", to: "file:new", says: "mv " },
    { from: "postgres://a@127.0.0.1/x", to: "postgres://a@127.0.0.1/y", says: "pg_dump" },
    { from: "file:nothing", to: "postgres://a@127.0.0.1/y", says: "there is no store in" },
    { from: "file:data", to: "postgres://a@h/y", says: "the URL has no sslmode" },
    { from: "data", to: "postgres://a@127.0.0.1/y", says: '"data" is not a store' },
    {
      from: "mysql://me:hunter2@db/x",
      to: "postgres://a@127.0.0.1/y",
      says: '"mysql://me:*******@db/x" is not a store',
    },
  ])("from $from to $to", async ({ from, to, says }) => {
    const { code, err } = await move(from, to);

    expect(code).toBe(2);
    expect(err).toContain(says);
  });

  it("out of an unreachable database, and leaves all files of the folder in place", async () => {
    await mkdir(join(folder, "data", "incoming"), { recursive: true });
    await writeFile(join(folder, "data", "incoming", "letters.txt"), "my letters");

    expect(await move("postgres://a@127.0.0.1:1/x", "file:data")).not.toMatchObject({ code: 0 });
    expect(await readdir(join(folder, "data"))).toEqual(["incoming"]);
    expect(await readFile(join(folder, "data", "incoming", "letters.txt"), "utf8")).toBe(
      "my letters",
    );
  });

  it.each([
    { version: 99, code: 74, says: "schema version 99" },
    { version: 3, code: 5, says: "must be migrated to" },
  ])("of tables of version $version", async ({ version, code, says }) => {
    await filled("file:data");
    const db = openDatabase(join(folder, "data", "store.db"));
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();

    expect(await move("file:data", database.url)).toMatchObject({
      code,
      err: expect.stringContaining(says),
    });
  });

  it.each(["file:data", "database"])("of data that was just moved back: %s", async (name) => {
    const url = name === "database" ? database.url : name;
    await filled(url, (store) => store.setMeta("restored-from", "1"));
    const { code, err } = await move(url, name === "database" ? "file:new" : database.url);

    expect(code).toBe(1);
    expect(err).toContain("restored from a backup and has not been started since");
  });

  it("of linked accounts without the key that the machines share", async () => {
    await filled("file:data");
    const accounts = await openAccounts(join(folder, "data"));
    await accounts.put({
      id: "100",
      username: "bot",
      accessToken: "a",
      accessTokenSecret: "b",
      linkedAt: 1,
    });

    expect(await move("file:data", database.url)).toMatchObject({
      code: 4,
      err: expect.stringContaining("ANSWERBACK_KEY"),
    });
  });
});

describe("a moved store", () => {
  beforeEach(async () => {
    await filled("file:data");
    const { code, err } = await move("file:data", database.url);
    if (code !== 0) throw new Error(err);
  });

  it("can't be written any more, but still be read", async () => {
    await expect(openStore("file:data", { base: folder })).rejects.toMatchObject({
      code: "store-moved",
      message: expect.stringContaining("was moved to postgres://"),
      hint: expect.stringContaining("answerback move --from postgres://"),
    });
    const store = await openStore("file:data", { base: folder, readOnly: true });
    expect(await store.journal({ limit: 10 })).toHaveLength(1);
    await store.close();
    expect((await move("file:data", database.url)).err).toContain("was moved to");
  });

  it("can be moved back into its own folder, with the existing files moved aside", async () => {
    await filled(database.url, (store) => store.append([entry({ key: "dm:2" })]));

    expect(await move(database.url, "file:data")).toMatchObject({ code: 0 });

    const store = await openStore("file:data", { base: folder });
    expect(await store.journal({ limit: 10 })).toHaveLength(2);
    await store.close();
    expect(await readdir(join(folder, "data"))).toContainEqual(
      expect.stringMatching(/^before-move\./),
    );
    await expect(openStore(database.url)).rejects.toMatchObject({ code: "store-moved" });
  });
});
