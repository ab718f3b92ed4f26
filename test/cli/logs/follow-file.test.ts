import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lastLines, newLines } from "../../../src/cli/logs/follow-file.ts";
import { rotatingFile } from "../../../src/cli/logs/rotating-file.ts";

const lost = (error: unknown): never => {
  throw error;
};

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

    const { lines, place } = await lastLines(file, 2, (text) => text.startsWith("a"));

    expect(lines).toEqual(["a2", "a3"]);
    expect(place.end).toBe(12);
  });

  it("leaves out an unfinished line", async () => {
    await writeFile(file, "whole\nhal");

    const { lines, place } = await lastLines(file, 9, () => true);
    expect([lines, place.end]).toEqual([["whole"], 6]);
  });

  it("has no lines when it does not exist", async () => {
    expect(await lastLines(file, 9, () => true)).toEqual({
      lines: [],
      place: { fileNumber: undefined, end: 0 },
    });
  });

  it("keeps characters whole that lie on the border of two reads", async () => {
    const line = `${"x".repeat(64 * 1024 - 1)}ü`;
    await writeFile(file, `${line}\n`);

    expect((await lastLines(file, 1, () => true)).lines).toEqual([line]);
  });

  it("is followed across appended lines and its replacement by a shorter file", async () => {
    await writeFile(file, "old line\n");
    const ending = new AbortController();
    const { place } = await lastLines(file, 0, () => true);
    const followed = newLines(file, place, ending.signal);

    await appendFile(file, "new line\n");
    const appended = await followed.next();
    await writeFile(file, "again\n");
    const replaced = await followed.next();
    ending.abort();

    expect([appended.value, replaced.value]).toEqual(["new line", "again"]);
    expect((await followed.next()).done).toBe(true);
  });

  it("returns the last lines across rotated files, oldest first", async () => {
    const log = rotatingFile(file, { fileBytes: 20, files: 4 }, lost);
    for (let n = 1; n <= 9; n++) log.write(`line ${n}\n`);

    expect((await lastLines(file, 5, () => true)).lines).toEqual(
      [5, 6, 7, 8, 9].map((n) => `line ${n}`),
    );
    expect((await lastLines(file, 99, () => true)).lines.at(0)).toBe("line 3");
  });

  it("is followed across its rotation, however often it is put aside meanwhile", async () => {
    const log = rotatingFile(file, { fileBytes: 30, files: 100 }, lost);
    log.write("seen\n");
    const ending = new AbortController();
    const { place } = await lastLines(file, 1, () => true);
    const followed = newLines(file, place, ending.signal);
    const wanted = Array.from({ length: 200 }, (_, n) => `line ${n}`);
    for (const line of wanted.slice(0, 150)) log.write(`${line}\n`);
    const got: string[] = [];
    for await (const line of followed) {
      got.push(line);
      if (got.length === 100) for (const late of wanted.slice(150)) log.write(`${late}\n`);
      if (got.length === wanted.length) ending.abort();
    }

    expect(got).toEqual(wanted);
  });
});
