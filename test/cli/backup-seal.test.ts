import { execFileSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/runtime/store/sqlite/binding.ts";
import { openSqliteStore } from "../../src/runtime/store/sqlite/sqlite-store.ts";
import { entry } from "../runtime/store/builders.ts";
import { begin, run } from "../support/command-line.ts";

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-seal-"));
  const store = await openSqliteStore(at("data"), {});
  await store.append([entry({ key: "dm:1" })]);
  await store.close();
});
afterEach(() => rm(folder, { recursive: true }));

const backup = (...flags: readonly string[]) => run(folder, "backup", "--to", "x.backup", ...flags);
const restore = (...flags: readonly string[]) => run(folder, "restore", "x.backup", ...flags);

/** Length in bytes of a backup's seal (an HMAC), which follows the last page of the database. */
const SEAL_BYTES = 96;

async function edit(statement: string): Promise<void> {
  const db = openDatabase(at("x.backup"));
  db.exec(statement);
  db.close();
}

async function journalKeys(): Promise<readonly string[]> {
  const store = await openSqliteStore(at("data"), {});
  const keys = (await store.journal({ limit: 9 })).map(({ key }) => key);
  await store.close();
  return keys;
}

it("a damaged world of the sandbox is refused, with its place", async () => {
  await writeFile(at("data/world.jsonl"), "{}\n");
  const { code, err } = await backup();
  expect(code).toBe(2);
  expect(err).toContain(`${at("data/world.jsonl")} is not a saved sandbox world: `);
  expect(await readdir(folder)).toEqual(["data"]);
});

describe("a backup of this bot", () => {
  it("is restored, with a valid seal in the output", async () => {
    await backup();
    const { code, out } = await restore("--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ sealed: true });
    expect(await journalKeys()).toEqual(["dm:1"]);
  });

  it("moves existing data to the folder that the help of restore names", async () => {
    await backup();
    const { out } = await restore("--json");
    const { out: help } = await run(folder, "restore", "--help");
    const { aside }: { aside: string } = JSON.parse(out);
    expect(dirname(aside)).toBe(at("data"));
    expect(basename(aside)).toMatch(/^before-restore\.\d/);
    expect(help.replaceAll(/\s+/g, " ")).toContain(
      "moved to before-restore.TIME in the data folder",
    );
  });

  it("is opened by any SQLite, with its seal", async () => {
    await backup();
    const db = openDatabase(at("x.backup"));
    expect(db.prepare("PRAGMA integrity_check").get()).toMatchObject({ integrity_check: "ok" });
    db.close();
  });

  it("is sealed with ANSWERBACK_KEY if that is set", async () => {
    const env = { ANSWERBACK_KEY: "5".repeat(64) };
    const place = { cwd: folder, env };
    await begin(place, ["backup", "--to", "x.backup"]).ended;
    expect(await restore()).toMatchObject({
      code: 74,
      err: expect.stringContaining("was sealed with another key"),
    });
    expect((await begin(place, ["restore", "x.backup"]).ended).code).toBe(0);
  });
});

describe("without --foreign nothing is restored from a backup that", () => {
  const CHANGES: readonly { why: string; change: () => Promise<void>; says: string }[] = [
    {
      why: "another key has sealed",
      change: () => writeFile(at("data/key"), "0".repeat(64), { mode: 0o600 }),
      says: "was sealed with another key than this bot's, or was changed since",
    },
    {
      why: "comes to a machine without the key",
      change: () => rm(at("data/key")),
      says: "was sealed with another key than this bot's, or was changed since",
    },
    {
      why: "has another row",
      change: () => edit("UPDATE journal SET body = '{}'"),
      says: "has no seal|was changed since",
    },
    {
      why: "has one other bit",
      async change() {
        const bytes = await readFile(at("x.backup"));
        bytes[bytes.length - SEAL_BYTES - 100] = 1;
        await writeFile(at("x.backup"), bytes);
      },
      says: "was changed since",
    },
    {
      why: "an earlier version wrote, without a seal",
      async change() {
        const bytes = await readFile(at("x.backup"));
        await writeFile(at("x.backup"), bytes.subarray(0, -SEAL_BYTES));
      },
      says: "has no seal: an earlier version wrote it",
    },
  ];

  it.each(CHANGES)("$why", async ({ change, says }) => {
    await backup();
    await change();
    const before = await readFile(at("data/store.db"));
    const { code, err } = await restore();
    expect(code).toBe(74);
    expect(err).toMatch(new RegExp(says));
    expect(err).toContain("add --foreign");
    expect(before.equals(await readFile(at("data/store.db")))).toBe(true);
  });

  it("is restored with --foreign, row by row, if an earlier version wrote it", async () => {
    await backup();
    const bytes = await readFile(at("x.backup"));
    await writeFile(at("x.backup"), bytes.subarray(0, -SEAL_BYTES));
    const { code, out, err } = await restore("--foreign", "--json");
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(JSON.parse(out)).toMatchObject({ sealed: false });
    expect(await journalKeys()).toEqual(["dm:1"]);
  });
});

describe("with --foreign nothing is restored from a backup that", () => {
  it.each([
    { why: "has a text for a number", statement: "UPDATE journal SET at = 'soon'" },
    { why: "has bytes for a text", statement: "UPDATE journal SET body = x'00ff'" },
    {
      why: "has a text that is not UTF-8",
      statement: "UPDATE journal SET body = CAST(x'61ff' AS TEXT)",
    },
    {
      why: "has such a text after a NUL",
      statement: "UPDATE journal SET body = CAST(x'6100ff' AS TEXT)",
    },
    {
      why: "describes itself by such a text",
      statement: "UPDATE backup_about SET about = CAST(x'ff' AS TEXT)",
    },
    {
      why: "has a file of such a name",
      statement: "INSERT INTO backup_files VALUES (CAST(x'ff' AS TEXT), 0, 'x')",
    },
    { why: "has another table", statement: "CREATE TABLE more (a)" },
    { why: "has another column", statement: "ALTER TABLE journal ADD COLUMN more TEXT" },
    {
      why: "names another place",
      statement: "INSERT INTO backup_files VALUES ('../bots/zz.ts', 0, 'x')",
    },
  ])("$why", async ({ statement }) => {
    await backup();
    await edit(statement);
    const { code, err } = await restore("--foreign");
    expect(code).toBe(74);
    expect(err).toMatch(/x\.backup|its tables do not match the/);
    expect(err).not.toContain("bug:");
    expect(await journalKeys()).toEqual(["dm:1"]);
  });
});

it.each(["a pipe", "a folder"])("%s is no backup, and is not waited for", async (kind) => {
  if (kind === "a pipe") execFileSync("mkfifo", [at("x.backup")]);
  else await mkdir(at("x.backup"));
  expect(await restore("--foreign")).toMatchObject({
    code: 74,
    err: expect.stringContaining("x.backup is no file"),
  });
});

it("a foreign backup keeps texts of all languages", async () => {
  await backup();
  await edit("UPDATE journal SET lane = 'größe 🎲 \u4f60\u597d'");
  expect(await restore("--foreign")).toMatchObject({ code: 0 });
});

it("the store gets no bytes of the backup but its rows", async () => {
  await backup();
  await edit("PRAGMA application_id = 4711");
  await restore("--foreign");
  const db = openDatabase(at("data/store.db"));
  expect(db.prepare("PRAGMA application_id").get()).toMatchObject({ application_id: 0 });
  db.close();
});

it("a file with the key is opened on another machine by --foreign alone", async () => {
  await backup("--with-key");
  await mkdir(at("other"));
  await copyFile(at("x.backup"), at("other/x.backup"));
  expect((await run(at("other"), "restore", "x.backup")).code).toBe(74);
  expect((await run(at("other"), "restore", "x.backup", "--foreign")).code).toBe(0);
  expect(await readFile(at("other/data/key"), "utf8")).toBe(await readFile(at("data/key"), "utf8"));
});
