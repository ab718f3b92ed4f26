import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { makeOwnFolder } from "../../../src/system/files/created-folder.ts";

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
