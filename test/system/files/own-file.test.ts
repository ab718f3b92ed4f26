import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createFile,
  isPrivateFile,
  openToAppend,
  refuseUnsafe,
  replaceFile,
  replaceFileSync,
  UnsafeFileError,
} from "../../../src/system/files/own-file.ts";

const NOBODY = 65_534;
const SECOND_USER = { tags: ["second-user"] };

let folder: string;
let file: string;
let outside: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "answerback-own-"));
  file = join(folder, "shared", "file");
  outside = join(folder, "outside");
  mkdirSync(dirname(file));
  writeFileSync(outside, "precious");
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Every way in which a file is written. */
const WAYS: readonly {
  readonly way: string;
  readonly write: (path: string) => Promise<void> | void;
}[] = [
  { way: "replaced", write: (path) => replaceFile(path, "new") },
  { way: "replaced at once", write: (path) => replaceFileSync(path, "new") },
  {
    way: "appended to",
    write(path) {
      const descriptor = openToAppend(path);
      writeSync(descriptor, "new");
      closeSync(descriptor);
    },
  },
  { way: "created", write: (path) => createFile(path, (inside) => writeFile(inside, "new")) },
];

describe.each(WAYS)("a file that is $way", ({ way, write }) => {
  it("is readable only for its owner, and leaves no other file", async () => {
    await write(file);
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(modeOf(file)).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(["file"]);
  });

  it.each([
    { why: "a link to a file", plant: () => symlinkSync(outside, file) },
    { why: "a link to nothing", plant: () => symlinkSync(join(folder, "new"), file) },
    { why: "a link to a device", plant: () => symlinkSync("/dev/null", file) },
    { why: "a folder", plant: () => mkdirSync(file) },
    { why: "a pipe", plant: () => execFileSync("mkfifo", [file]) },
  ])("does not take the name of $why", async ({ plant }) => {
    plant();
    const before = lstatSync(file);
    await expect((async () => write(file))()).rejects.toMatchObject(
      way === "created" ? { code: "EEXIST" } : { name: "UnsafeFileError", message: /^\// },
    );
    expect(lstatSync(file).ino).toBe(before.ino);
    expect(readFileSync(outside, "utf8")).toBe("precious");
    expect(readdirSync(folder).toSorted()).toEqual(["outside", "shared"]);
    expect(readdirSync(dirname(file))).toEqual(["file"]);
  });

  it("gives another user no content, whatever file was planted", SECOND_USER, async () => {
    chmodSync(dirname(file), 0o777);
    writeFileSync(file, "planted");
    chownSync(file, NOBODY, NOBODY);
    await expect((async () => write(file))()).rejects.toThrow(/another user|EEXIST/);
    expect(readFileSync(file, "utf8")).toBe("planted");
  });
});

it("a file is replaced under Yarn Plug'n'Play, whose file handles have no method for syncing", async () => {
  const handle = await open(outside);
  await handle.close();
  const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync").mockImplementation(() => {
    throw new Error("Method not implemented.");
  });
  onTestFinished(() => sync.mockRestore());

  await replaceFile(file, "new");

  expect(readFileSync(file, "utf8")).toBe("new");
});

describe("names that were known before", () => {
  it("give no access to the written text", async () => {
    for (const name of ["file.next", "file.tmp", `file.${process.pid}`]) {
      symlinkSync(outside, join(dirname(file), name));
    }
    await replaceFile(file, "secret");
    rmSync(file);
    await createFile(file, (inside) => writeFile(inside, "secret"));
    expect(readFileSync(outside, "utf8")).toBe("precious");
  });

  it("are not in a folder that others can enter while a file is written", async () => {
    const modes = await createFile(file, async (inside) => [
      modeOf(dirname(inside)),
      modeOf(inside),
    ]);
    expect(modes).toEqual([0o700, 0o600]);
  });
});

it("a file whose writing fails is not created, and files written meanwhile remain", async () => {
  const failing = createFile(file, () => Promise.reject(new Error("disk")));
  await expect(failing).rejects.toThrow("disk");
  expect(readdirSync(dirname(file))).toEqual([]);
  const late = createFile(file, async (inside) => {
    await writeFile(inside, "ours");
    writeFileSync(file, "theirs");
  });
  await expect(late).rejects.toMatchObject({ code: "EEXIST" });
  expect(readFileSync(file, "utf8")).toBe("theirs");
  expect(readdirSync(dirname(file))).toEqual(["file"]);
});

it("a file has the text of the last write", async () => {
  await Promise.all(["1", "2", "3", "4"].map((text) => replaceFile(file, text.repeat(1_000_000))));
  expect(readFileSync(file, "utf8")).toBe("4".repeat(1_000_000));
});

it("a file for all users keeps its mode", async () => {
  await replaceFile(file, "text", 0o644);
  expect(modeOf(file)).toBe(0o644);
  await replaceFile(file, "text", 0o600);
  expect(modeOf(file)).toBe(0o600);
});

it("a file with a second name is not appended to, and is replaced without the other", async () => {
  linkSync(outside, file);
  expect(() => openToAppend(file)).toThrow(UnsafeFileError);
  await replaceFile(file, "new");
  expect(readFileSync(outside, "utf8")).toBe("precious");
});

it("files that root writes in a user's folder belong to that user", SECOND_USER, async () => {
  writeFileSync(file, "old");
  for (const path of [dirname(file), file]) chownSync(path, NOBODY, NOBODY);
  await replaceFile(file, "new");
  expect(statSync(file)).toMatchObject({ uid: NOBODY, gid: NOBODY });
});

describe("a private file", () => {
  it.each([
    { why: "of this user", plant: () => writeFileSync(file, "", { mode: 0o600 }), is: true },
    {
      why: "that others may read",
      plant: () => writeFileSync(file, "", { mode: 0o644 }),
      is: false,
    },
    { why: "that is not there", plant: () => {}, is: false },
    { why: "that is a link", plant: () => symlinkSync(outside, file), is: false },
  ])("$why: $is", ({ plant, is }) => {
    chmodSync(outside, 0o600);
    plant();
    expect(isPrivateFile(file)).toBe(is);
  });

  it("of another user is not private", SECOND_USER, () => {
    chmodSync(dirname(file), 0o777);
    writeFileSync(file, "", { mode: 0o600 });
    chownSync(file, NOBODY, NOBODY);
    expect(isPrivateFile(file)).toBe(false);
  });
});

it("a free name, or a file of this user, is safe to open", () => {
  expect(() => refuseUnsafe(file)).not.toThrow();
  writeFileSync(file, "");
  expect(() => refuseUnsafe(file)).not.toThrow();
  rmSync(file);
  symlinkSync(outside, file);
  expect(() => refuseUnsafe(file)).toThrow(/is a link/);
  expect(existsSync(outside)).toBe(true);
});
