import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parentOf, proveWritable } from "../../../src/cli/doctor/writable-folder.ts";
import { run } from "../../support/command-line.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "writable-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("a folder for files of the bot", () => {
  it("is written to, and is empty again", async () => {
    await proveWritable(folder);

    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    { path: "/proc", error: /ENOENT|EACCES|EPERM|EROFS/, why: "nobody can write there" },
    { path: "/dev/null", error: "ENOTDIR", why: "it is no folder" },
  ])("is refused where $why", async ({ path, error }) => {
    await expect(proveWritable(path)).rejects.toThrow(error);
  });

  it("is checked at its nearest existing parent", async () => {
    expect(await parentOf(join(folder, "a", "b"))).toBe(folder);
  });

  it("is a check of doctor's, with or without a bot", async () => {
    const storeOf = async (store: string) => {
      await writeFile(join(folder, "answerback.yaml"), `version: 1\nstore: ${store}\n`);
      const settings = ["--config", join(folder, "answerback.yaml")];
      const { out } = await run(folder, "doctor", "--json", ...settings);
      const findings = out
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line));
      return findings.find((one) =>
        expect.objectContaining({ name: "store" }).asymmetricMatch(one),
      );
    };

    expect(await storeOf("file:./data")).toMatchObject({ state: "ok" });
    expect(await storeOf("file:/proc/answerback")).toMatchObject({
      state: "fail",
      fix: "make room for /proc/answerback, and let this user write there",
    });
  });
});
