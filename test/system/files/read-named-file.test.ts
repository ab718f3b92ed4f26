import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectFolders } from "../../../src/system/files/project-file.ts";
import { namedFileReader } from "../../../src/system/files/read-named-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "named-"));
  await mkdir(join(folder, "project", "rules"), { recursive: true });
  await mkdir(join(folder, "elsewhere"));
  await mkdir(join(folder, "project", "a folder.txt"));
  await writeFile(join(folder, "project", "a.txt"), "ä");
  await writeFile(join(folder, "project", "latin1.txt"), Buffer.from("ä", "latin1"));
  await writeFile(join(folder, "project", "long.txt"), "x".repeat(11));
  await writeFile(join(folder, "project", "whole.txt"), "x".repeat(10));
  await writeFile(join(folder, "project", "..dots.txt"), "d");
  await mkdir(join(folder, "project", "..rules"));
  await writeFile(join(folder, "project", "..rules", "c.txt"), "c");
  await writeFile(join(folder, "elsewhere", "b.txt"), "b");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["a.txt", "rules/a.yaml", { text: "ä" }, "a file of the project"],
  ["gone.txt", "rules/a.yaml", { refused: "missing" }, "it is not there"],
  ["rules", "a.yaml", { refused: "ending" }, "a folder"],
  ["a folder.txt", "a.yaml", { refused: "unreadable" }, "a folder with such a name"],
  ["latin1.txt", "a.yaml", { refused: "not-utf8" }, "other bytes than UTF-8"],
  ["long.txt", "a.yaml", { refused: "too-large" }, "more bytes than may be"],
  ["whole.txt", "a.yaml", { text: "x".repeat(10) }, "as many bytes as may be"],
  ["..dots.txt", "a.yaml", { text: "d" }, "a name that begins with dots"],
  ["..rules/c.txt", "a.yaml", { text: "c" }, "a folder whose name begins with dots"],
  ["..", "rules/a.yaml", { refused: "outside" }, "the folder around"],
  ["../elsewhere/b.txt", "a.yaml", { refused: "outside" }, "another folder"],
  ["../elsewhere/b.txt", "../elsewhere/a.yaml", { text: "b" }, "beside the file that names it"],
  ["/etc/hostname", "a.yaml", { refused: "outside" }, "an absolute path"],
])("reading %s for %s gives %o: %s", async (path, from, read, _why) => {
  const base = join(folder, "project");
  const folders = projectFolders(base, [join(base, from)]);
  expect(await namedFileReader({ base, folders, most: 10 })(path)).toEqual(read);
});
