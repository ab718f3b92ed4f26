import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { makeFolder, makeOwnFolder } from "../../../src/system/files/created-folder.ts";

describe("a folder of its owner", () => {
  let top = "";
  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), "own-folder-"));
  });
  afterEach(() => rm(top, { recursive: true }));

  async function modeOf(folder: string): Promise<string> {
    return ((await stat(folder)).mode & 0o7777).toString(8);
  }

  it("is created for the owner only", async () => {
    const folder = join(top, "a", "data");
    await makeOwnFolder(folder);

    expect(await modeOf(folder)).toBe("700");
  });

  test.each([
    { before: 0o777, after: "755", why: "other users could replace its files" },
    { before: 0o2770, after: "2750", why: "the group could replace its files" },
    { before: 0o750, after: "750", why: "the group can only read names" },
    { before: 0o1777, after: "1777", why: "the sticky bit protects its files" },
  ])("has the mode $after if $why", async ({ before, after }) => {
    const folder = join(top, "data");
    await mkdir(folder);
    await chmod(folder, before);
    await makeOwnFolder(folder);

    expect(await modeOf(folder)).toBe(after);
  });
});

describe("a folder with its parents", () => {
  let top = "";
  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), "folder-"));
  });
  afterEach(() => rm(top, { recursive: true }));

  it("is created once, with the outermost new folder as the result", async () => {
    const folder = join(top, "a", "b", "c");

    expect(makeFolder(folder)).toBe(join(top, "a"));
    expect(makeFolder(folder)).toBeUndefined();
    expect((await stat(folder)).isDirectory()).toBe(true);
  });

  it.each(["file", "file/a", "file/a/b"])(
    "is refused where a file is in the way: %s",
    async (path) => {
      await writeFile(join(top, "file"), "");

      expect(() => makeFolder(join(top, path))).toThrow(/EEXIST|ENOTDIR/);
    },
  );

  it.skipIf(process.platform !== "linux")(
    "is refused in a file system that has no room for it",
    () => {
      expect(() => makeFolder("/proc/answerback/a")).toThrow(/ENOENT/);
    },
  );
});
