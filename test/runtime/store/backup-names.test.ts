import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  BACKUP_FILES,
  type BackupFileName,
} from "../../../src/runtime/store/sqlite/backup/backup-names.ts";
import {
  completeBackup,
  copyStopped,
  restoreStore,
} from "../../../src/runtime/store/sqlite/backup/tasks.ts";
import { openDatabase } from "../../../src/runtime/store/sqlite/binding.ts";
import { entry } from "./builders.ts";
import { folderPlace } from "./place.ts";

/**
 * Folder with one event in its store, and a backup of this folder. Each test gets a copy of the folder and the backup.
 */
let stored: Awaited<ReturnType<typeof folderPlace>>;
let place: Awaited<ReturnType<typeof folderPlace>>;
let outside: string;
beforeAll(async () => {
  stored = await folderPlace();
  const store = await stored.open();
  await store.append([entry({ key: "dm:1" })]);
  await store.close();
  await take(stored.folder, ["accounts.json"], storedBackup());
});
afterAll(() => stored.remove());
beforeEach(async () => {
  place = await folderPlace();
  outside = await mkdtemp(join(tmpdir(), "answerback-backup-names-"));
  await cp(stored.folder, place.folder, { recursive: true });
});
afterEach(async () => {
  await place.remove();
  await rm(outside, { recursive: true });
});

const storedBackup = () => join(dirname(stored.folder), "one.backup");

const BACKUP_TABLE =
  "CREATE TABLE backup_files (name TEXT, part INTEGER, text TEXT, PRIMARY KEY (name, part)) WITHOUT ROWID";

/** Creates a backup of a folder: of its store, and of the files `names`. */
async function take(folder: string, names: readonly BackupFileName[], to: string): Promise<void> {
  for (const name of names) await writeFile(join(folder, name), `the text of ${name}`);
  await writeFile(to, "");
  const counts = await copyStopped(folder, to);
  await completeBackup(to, folder, { ...counts, takenAt: 2_000, files: names });
}

/** Creates a backup with the file accounts.json. */
async function backupCopy(): Promise<string> {
  const backup = join(outside, "one.backup");
  await copyFile(storedBackup(), backup);
  return backup;
}

/** Changes the content of a backup with SQL statements. */
function edit(backup: string, ...statements: readonly string[]): void {
  const db = openDatabase(backup);
  for (const statement of statements) db.exec(statement);
  db.close();
}

/** Changes a backup so that its description lists `files`. Adds a text for each listed file that the backup lacks. */
function listing(backup: string, files: readonly unknown[]): void {
  const db = openDatabase(backup);
  db.prepare("UPDATE backup_about SET about = json_set(about, '$.files', json(?))").run(
    JSON.stringify(files),
  );
  const put = db.prepare("INSERT OR IGNORE INTO backup_files (name, part, text) VALUES (?, 0, ?)");
  for (const name of files) put.run(String(name), "written by a stranger");
  db.close();
}

/** Reads all files below the parent of the data folder: their texts, by path. */
async function world(): Promise<Readonly<Record<string, string>>> {
  const top = dirname(place.folder);
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const pairs = entries.map(async (one): Promise<[string, string]> => {
    const path = join(one.parentPath, one.name);
    return [path, one.isFile() ? await readFile(path, "latin1") : "no file"];
  });
  return Object.fromEntries(await Promise.all(pairs));
}

const restoring = (backup: string) =>
  restoreStore({ backup, folder: place.folder, asideName: "aside", key: undefined, foreign: true });

describe("a backup of this version", () => {
  it("is restored with every file that a backup may contain, each readable by its owner only", async () => {
    const backup = join(outside, "whole.backup");
    await take(place.folder, BACKUP_FILES, backup);
    await chmod(backup, 0o644);
    await rm(place.folder, { recursive: true });
    await restoring(backup);
    for (const name of [...BACKUP_FILES, "store.db"]) {
      expect((await stat(join(place.folder, name))).mode & 0o777).toBe(0o600);
    }
    for (const name of BACKUP_FILES) {
      expect(await readFile(join(place.folder, name), "utf8")).toBe(`the text of ${name}`);
    }
    const store = await place.open();
    expect(await store.stats()).toMatchObject({ journal: 1 });
    await store.close();
  });

  it("replaces the journals of the sandbox's world", async () => {
    const backup = await backupCopy();
    const names = ["world.jsonl", "world.jsonl.journal.3", "world.jsonl.journal.4"];
    for (const name of names) await writeFile(join(place.folder, name), "of the old world");
    await restoring(backup);
    expect(await readdir(place.folder)).not.toEqual(expect.arrayContaining([names[1]]));
    expect(await readdir(join(place.folder, "aside"))).toEqual(expect.arrayContaining(names));
  });

  it("is restored if the data folder is a link", async () => {
    const backup = await backupCopy();
    const real = join(outside, "elsewhere");
    await mkdir(real);
    await rm(place.folder, { recursive: true });
    await symlink(real, place.folder);
    await restoring(backup);
    expect(await readFile(join(real, "accounts.json"), "utf8")).toBe("the text of accounts.json");
  });
});

describe("a backup is refused as a whole, and nothing is written, if it", () => {
  it.each([
    { why: "leads above the folder", files: ["../bots/zz.ts"] },
    { why: "has a file that no backup holds", files: ["console.json"] },
    { why: "names the store", files: ["store.db"] },
    { why: "names the store's mark", files: ["store.id"] },
    { why: "has an absolute path", files: ["/tmp/answerback-stranger"] },
    { why: "has a path with a dot", files: ["./accounts.json"] },
    { why: "has a path into a folder", files: ["before/accounts.json"] },
    { why: "has a backslash", files: ["..\\accounts.json"] },
    { why: "has a NUL", files: ["accounts.json\0.ts"] },
    { why: "has a name in another case", files: ["Accounts.json"] },
    { why: "has a name with a blank", files: ["accounts.json "] },
    { why: "has an empty name", files: [""] },
    { why: "has a name twice", files: ["accounts.json", "accounts.json"] },
    { why: "lists a number", files: [1] },
    { why: "lists the name of what every object has", files: ["__proto__"] },
  ])("$why", async ({ files }) => {
    const backup = await backupCopy();
    listing(backup, files);
    expect(await isRefusedWhole(backup)).toBe(true);
  });

  it.each([
    {
      why: "has rows of a file that it does not list",
      statement: "INSERT INTO backup_files VALUES ('../bots/zz.ts', 0, 'x')",
    },
    {
      why: "lacks a part of a file",
      statement: "UPDATE backup_files SET part = 1",
    },
    {
      why: "has a part that is larger than any that backup writes",
      statement: `UPDATE backup_files SET text = printf('%.*c', ${4 * 1024 * 1024 + 1}, 'x')`,
    },
    { why: "has a part that is no text", statement: "UPDATE backup_files SET text = x'00ff'" },
    { why: "has a part that is nothing", statement: "UPDATE backup_files SET text = NULL" },
    { why: "says nothing of itself", statement: "UPDATE backup_about SET about = 'null'" },
    { why: "says of itself what is no JSON", statement: "UPDATE backup_about SET about = '{'" },
    {
      why: "says a time that is none",
      statement: "UPDATE backup_about SET about = json_set(about, '$.takenAt', 'now')",
    },
    {
      why: "says two things of itself",
      statement: "INSERT INTO backup_about SELECT about FROM backup_about",
    },
    {
      why: "has a view in the place of its files",
      statement: `DROP TABLE backup_files; CREATE VIEW backup_files AS
        WITH RECURSIVE n (part) AS (SELECT 0 UNION ALL SELECT part + 1 FROM n)
        SELECT 'accounts.json' AS name, part, 'x' AS text FROM n`,
    },
    {
      why: "has another table of that name",
      statement: `DROP TABLE backup_files; ${BACKUP_TABLE.replace("text TEXT", "text TEXT AS (printf('%.*c', 1000000, 'x'))")}`,
    },
    {
      why: "has a trigger",
      statement: "CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM journal; END",
    },
  ])("$why", async ({ statement }) => {
    const backup = await backupCopy();
    edit(backup, statement);
    expect(await isRefusedWhole(backup)).toBe(true);
  });

  it("does not exist", async () => {
    await backupCopy();
    const before = await readdir(outside);
    expect(await isRefusedWhole(join(outside, "no.backup"))).toBe(true);
    expect(await readdir(outside)).toEqual(before);
  });
});

describe("no restore overwrites", () => {
  it.each(["accounts.json", "world.jsonl", "store.db", "store.id", "aside"])(
    "a link that is called %s",
    async (name) => {
      const backup = await backupCopy();
      const target = join(outside, "target");
      await writeFile(target, "not to be written");
      await rm(join(place.folder, name), { force: true });
      await symlink(target, join(place.folder, name));
      expect(await isRefusedWhole(backup)).toBe(true);
      expect(await readFile(target, "utf8")).toBe("not to be written");
    },
  );

  it.each(["accounts.json", "store.db", "store.id", "aside"])(
    "a folder that is called %s",
    async (name) => {
      const backup = await backupCopy();
      await rm(join(place.folder, name), { force: true });
      await mkdir(join(place.folder, name));
      expect(await isRefusedWhole(backup)).toBe(true);
    },
  );
});

it("is restored if an earlier restore was killed while it copied", async () => {
  const backup = await backupCopy();
  await mkdir(join(place.folder, ".restoring-x"));
  await writeFile(join(place.folder, ".restoring-x", "backup"), "half a st");
  await restoring(backup);
  expect((await readdir(place.folder)).filter((name) => name.startsWith("."))).toEqual([]);
});

/** Expects that `restore` refuses a backup and changes no file. @returns True, if both hold. */
async function isRefusedWhole(backup: string): Promise<boolean> {
  const before = await world();
  await expect(restoring(backup)).rejects.toMatchObject({
    name: "StoreError",
    message: expect.stringMatching(/\S/),
  });
  expect(await world()).toEqual(before);
  return true;
}
