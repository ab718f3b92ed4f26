import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { openStore } from "../../../../src/runtime/store/open.ts";
import { testDatabase, type TestDatabase } from "../../../postgres/databases.ts";
import { begin } from "../../../support/command-line.ts";
import { contentsOf, fillRichly } from "./rich-store.ts";

let folder: string;
let database: TestDatabase;
let other: pg.Client;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-move-"));
  database = await testDatabase({ fresh: true });
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await database.giveBack();
  await rm(folder, { recursive: true });
});

const data = (): string => `file:${join(folder, "data")}`;
const back = (): string => `file:${join(folder, "back")}`;

async function contents(url: string) {
  const store = await openStore(url);
  const result = await contentsOf(store);
  await store.close();
  return result;
}

async function filled(url: string) {
  const store = await openStore(url);
  await fillRichly(store);
  await store.close();
  return contents(url);
}

/**
 * Starts a move by calling `begun`, while another connection holds the lock `lock`. Resolves once the move, which has
 * copied all rows, waits for the lock.
 */
async function stopped(begun: () => void, lock: string): Promise<void> {
  await other.query(`BEGIN; ${lock}`);
  begun();
  const standing = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  await expect
    .poll(async () => {
      // Within a transaction pg_stat_activity is a snapshot, so the snapshot is cleared before each query.
      await other.query("SELECT pg_stat_clear_snapshot()");
      return (await other.query(standing)).rowCount;
    })
    .toBe(1);
}

const WRITING = "ALTER SEQUENCE input_seq INCREMENT BY 1";
const READING = "ALTER SEQUENCE input_seq RENAME TO another";

const killed = async (child: ChildProcess | undefined): Promise<void> => {
  child?.kill("SIGKILL");
  if (child !== undefined) await once(child, "exit");
  await other.query("ROLLBACK");
};
const child = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(inject("prebuilt"), "src/cli/bin.js"), "move", ...args], {
    cwd: folder,
    stdio: "ignore",
  });

it("a move into a database that is killed in the middle changes neither side", async () => {
  const before = await filled(data());
  await (await openStore(database.url)).close();
  let process: ChildProcess | undefined;
  await stopped(() => (process = child("--from", data(), "--to", database.url)), WRITING);
  await killed(process);

  expect((await other.query("SELECT name FROM meta ORDER BY name")).rows).toEqual([
    { name: "partitions" },
    { name: "store-id" },
    { name: "written-by" },
  ]);
  expect((await other.query("SELECT 1 FROM journal")).rowCount).toBe(0);
  expect(await contents(data())).toEqual(before);
  expect(
    await begin({ cwd: folder }, ["move", "--from", data(), "--to", database.url]).ended,
  ).toMatchObject({ code: 0 });
});

it("a move into a folder that is killed in the middle leaves no store there", async () => {
  const before = await filled(database.url);
  let process: ChildProcess | undefined;
  await stopped(() => (process = child("--from", database.url, "--to", back())), READING);
  await killed(process);

  expect(await readdir(join(folder, "back"))).toEqual([expect.stringMatching(/^\.moving-/)]);
  expect(await contents(database.url)).toEqual(before);
  expect(
    await begin({ cwd: folder }, ["move", "--from", database.url, "--to", back()]).ended,
  ).toMatchObject({ code: 0 });
  expect(await contents(back())).toEqual(before);
  expect((await readdir(join(folder, "back"))).toSorted()).toEqual(["store.db", "store.id"]);
});

it.each(["a database", "a folder"])("Ctrl-C stops a move into %s", async (into) => {
  const isFolder = into === "a folder";
  const before = await filled(isFolder ? database.url : data());
  if (!isFolder) await (await openStore(database.url)).close();
  const [from, to] = isFolder ? [database.url, back()] : [data(), database.url];
  let running: ReturnType<typeof begin> | undefined;
  await stopped(
    () => (running = begin({ cwd: folder }, ["move", "--from", from, "--to", to])),
    isFolder ? READING : WRITING,
  );
  const { code, err } = (await running?.end()) ?? {};
  await other.query("ROLLBACK");

  expect({ code, err }).toEqual({ code: 130, err: "Cancelled; nothing was moved.\n" });
  expect(await contents(from)).toEqual(before);
  expect(await readdir(folder)).not.toContain("back");
});
