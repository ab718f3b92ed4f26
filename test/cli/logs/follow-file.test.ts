import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lastLines, newLines } from "../../../src/cli/logs/follow-file.ts";

describe("a log file", () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-log-"));
    file = join(folder, "bot.log");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("gives its last accepted lines, oldest first", async () => {
    await writeFile(file, "a1\nb1\na2\na3\n");

    const { lines, end } = await lastLines(file, 2, (text) => text.startsWith("a"));

    expect(lines).toEqual(["a2", "a3"]);
    expect(end).toBe(12);
  });

  it("leaves out a line that is still being written", async () => {
    await writeFile(file, "whole\nhal");

    expect(await lastLines(file, 9, () => true)).toEqual({ lines: ["whole"], end: 6 });
  });

  it("has no lines when it does not exist", async () => {
    expect(await lastLines(file, 9, () => true)).toEqual({ lines: [], end: 0 });
  });

  it("keeps characters whole that lie on the border of two reads", async () => {
    const line = `${"x".repeat(64 * 1024 - 1)}ü`;
    await writeFile(file, `${line}\n`);

    expect((await lastLines(file, 1, () => true)).lines).toEqual([line]);
  });

  it("is followed across appended lines and its replacement by a shorter file", async () => {
    await writeFile(file, "old line\n");
    const ending = new AbortController();
    const followed = newLines(file, 9, ending.signal);

    await appendFile(file, "new line\n");
    const appended = await followed.next();
    await writeFile(file, "again\n");
    const replaced = await followed.next();
    ending.abort();

    expect([appended.value, replaced.value]).toEqual(["new line", "again"]);
    expect((await followed.next()).done).toBe(true);
  });
});
