import { chmod, mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { writtenOf } from "../../src/chat-sdk/written.ts";

const PICTURE = {
  markdown: "hi",
  files: [{ data: Buffer.from("picture"), filename: "a.png", mimeType: "image/png" }],
};

describe("a picture of the Chat SDK without a folder", () => {
  let temporary = "";
  beforeEach(async () => {
    temporary = await mkdtemp(join(tmpdir(), "written-"));
    vi.stubEnv("TMPDIR", temporary);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(temporary, { recursive: true });
  });

  it("is stored in a temporary folder that only its user can open, under the same path each time", async () => {
    const { media = "" } = await writtenOf(PICTURE, undefined);

    expect((await stat(dirname(media))).mode & 0o777).toBe(0o700);
    expect(await writtenOf(PICTURE, undefined)).toEqual({ text: "hi", media });
  });

  test.each([
    { why: "other users can write to it", prepare: open },
    { why: "it is a link", prepare: linked },
  ])("is not stored there if $why", async ({ prepare }) => {
    const { media = "" } = await writtenOf(PICTURE, undefined);
    await rm(dirname(media), { recursive: true });
    await prepare(dirname(media));

    await expect(writtenOf(PICTURE, undefined)).rejects.toThrow("other users can change files in");
    expect(await writtenOf(PICTURE, join(temporary, "own"))).toMatchObject({ text: "hi" });
  });

  async function open(folder: string): Promise<void> {
    await mkdir(folder);
    await chmod(folder, 0o777);
  }

  async function linked(folder: string): Promise<void> {
    const other = join(temporary, "other");
    await mkdir(other);
    await symlink(other, folder);
  }
});
