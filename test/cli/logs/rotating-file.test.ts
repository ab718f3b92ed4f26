import {
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rotatingFile } from "../../../src/cli/logs/rotating-file.ts";
import { fileLimit } from "../../support/full-disk.ts";

describe("a log file", () => {
  let folder: string;
  let file: string;
  const lost: unknown[] = [];
  const open = (fileBytes: number, files: number) =>
    rotatingFile(file, { fileBytes, files }, (error) => lost.push(error));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-log-"));
    file = join(folder, "bot.log");
    lost.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is put aside before a line would take it over its bound, and the oldest is dropped", async () => {
    const log = open(12, 3);
    for (const line of ["aaaaa", "bbbbb", "ccccc", "ddddd", "eeeee", "fffff", "ggggg"]) {
      log.write(`${line}\n`);
    }

    expect((await readdir(folder)).sort()).toEqual(["bot.log", "bot.log.1", "bot.log.2"]);
    expect(await readFile(`${file}.2`, "utf8")).toBe("ccccc\nddddd\n");
    expect(await readFile(`${file}.1`, "utf8")).toBe("eeeee\nfffff\n");
    expect(await readFile(file, "utf8")).toBe("ggggg\n");
  });

  it("stays within its bounds however much is written", async () => {
    const log = open(1_000, 4);
    for (let i = 0; i < 10_000; i++) log.write(`line ${i}\n`);

    const sizes = await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
    );
    expect(sizes).toHaveLength(4);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(1_000);
  });

  it("starts an empty file if only one file is kept", async () => {
    const log = open(10, 1);
    for (const line of ["first", "second"]) log.write(`${line}\n`);

    expect(await readdir(folder)).toEqual(["bot.log"]);
    expect(await readFile(file, "utf8")).toBe("second\n");
  });

  it("appends to the file of an earlier process", async () => {
    await writeFile(file, "before\n");
    const log = open(10, 2);
    log.write("after\n");

    expect(await readFile(`${file}.1`, "utf8")).toBe("before\n");
    expect(await readFile(file, "utf8")).toBe("after\n");
  });

  it("accepts a line longer than its limit, and is readable by its owner only", async () => {
    open(10, 2).write("longer than ten bytes\n");

    expect(await readdir(folder)).toEqual(["bot.log"]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("keeps the older files if there is no file to rename, as after a rotation that failed", async () => {
    const log = open(6, 3);
    for (const line of ["aaaaa", "bbbbb", "ccccc"]) log.write(`${line}\n`);
    await rm(file);
    log.write("ddddd\n");

    expect(await readFile(`${file}.2`, "utf8")).toBe("aaaaa\n");
    expect(await readFile(`${file}.1`, "utf8")).toBe("bbbbb\n");
    expect(await readFile(file, "utf8")).toBe("ddddd\n");
  });

  it("is created again after another program has renamed or deleted it", async () => {
    const log = open(1_000, 3);
    log.write("one\n");
    await rename(file, `${file}-2026-11-29`);
    log.write("two\n");
    const second = await readFile(file, "utf8");
    await rm(file);
    log.write("three\n");

    expect(await readFile(`${file}-2026-11-29`, "utf8")).toBe("one\n");
    expect(second).toBe("two\n");
    expect(await readFile(file, "utf8")).toBe("three\n");
    expect(lost).toEqual([]);
  });

  it("is not put aside before its limit if another program has emptied it", async () => {
    const log = open(12, 3);
    log.write("aaaaaaaaaa\n");
    await truncate(file);
    log.write("bbbbb\n");

    expect(await readdir(folder)).toEqual(["bot.log"]);
  });

  it(
    "loses only lines on a full disk, also a line that fits in part",
    { tags: ["file-limit"] },
    async () => {
      const disk = fileLimit();
      const log = open(3_000, 2);
      log.write(`${"a".repeat(1_000)}\n`);
      disk.fill(process.pid);
      for (let i = 0; i < 5; i++) log.write(`${"b".repeat(1_000)}\n`);
      disk.free(process.pid);

      expect(lost).toHaveLength(5);
      expect(await readdir(folder)).toEqual(["bot.log"]);
    },
  );

  it("loses only lines if the file can't be renamed", async () => {
    const log = open(10, 2);
    log.write("one\n");
    await rm(folder, { recursive: true });
    log.write("two, longer\n");

    expect(lost).toHaveLength(1);
  });
});
