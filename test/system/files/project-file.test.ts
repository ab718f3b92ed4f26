import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  LIST_ENDINGS,
  openProjectFile,
  projectFileFault,
  projectFolders,
} from "../../../src/system/files/project-file.ts";

let top: string;
const at = (...names: readonly string[]): string => join(top, ...names);
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "answerback-project-file-")));
  for (const name of [
    "outside/secret.txt",
    "project/words.txt",
    "project/lists/more words (old).TXT",
    "project/lists/grüße.txt".normalize("NFC"),
    "project/lists/ne\u0301.txt",
    "project/..2026_01/mounted.txt",
    "project/.hidden/a.txt",
    "project/.env",
    "project/..env.txt",
    "project/words",
    "project/.env.txt",
    "project/notes.pem",
    ".dots/project/words.txt",
    "project-two/words.txt",
  ]) {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), "words");
  }
  for (const [name, target] of [
    ["linked-project", "project"],
    ["project/within.txt", "words.txt"],
    ["project/out.txt", "../outside/secret.txt"],
    ["project/folder", "../outside"],
    ["project/to-hidden.txt", ".env"],
    ["project/to-other.txt", "notes.pem"],
    ["project/..data", "..2026_01"],
    ["project/mounted.txt", "..data/mounted.txt"],
    ["project/loop.txt", "loop.txt"],
    ["project/nowhere.txt", "gone.txt"],
    ["project/device.txt", "/dev/zero"],
  ] as const) {
    await symlink(target, at(name));
  }
  await mkdir(at("project/a folder.txt"));
  execFileSync("mkfifo", [at("project/pipe.txt")]);
  await writeFile(at("project/large.txt"), "");
  await truncate(at("project/large.txt"), 101);
});
afterAll(() => rm(top, { recursive: true }));

const within = (...folders: readonly string[]) => ({
  folders: folders.map((folder) => at(folder)),
  endings: LIST_ENDINGS,
  maxBytes: 100,
});

describe("a file of the project", () => {
  it.each([
    { why: "beside the rules", file: "project/words.txt" },
    { why: "with blanks and parentheses", file: "project/lists/more words (old).TXT" },
    { why: "with composed letters", file: "project/lists/grüße.txt".normalize("NFC") },
    { why: "with decomposed letters", file: "project/lists/ne\u0301.txt" },
    { why: "by a way up", file: "project/lists/../words.txt" },
    { why: "by a link within the project", file: "project/within.txt" },
    { why: "by the links of a mounted volume", file: "project/mounted.txt" },
    { why: "by a link to the project", file: "linked-project/words.txt" },
  ])("is opened: $why", async ({ file }) => {
    const opened = await openProjectFile(at(file), within("linked-project", "project"));
    if ("refused" in opened) throw new Error(opened.refused);
    expect(await opened.file.readFile("utf8")).toBe("words");
    await opened.file.close();
  });

  it("is opened if the project lies below a hidden folder, or is a link", async () => {
    expect(await projectFileFault(at(".dots/project/words.txt"), within(".dots/project"))).toBe(
      undefined,
    );
    expect(await projectFileFault(at("linked-project/words.txt"), within("linked-project"))).toBe(
      undefined,
    );
    expect(await projectFileFault(at("project/words.txt"), within("linked-project"))).toBe(
      undefined,
    );
  });
});

describe("a file is refused", () => {
  it.each([
    { why: "above the project", file: "project/../outside/secret.txt", fault: "outside" },
    { why: "above it and not there", file: "outside/gone.txt", fault: "outside" },
    { why: "in a folder that begins alike", file: "project-two/words.txt", fault: "outside" },
    { why: "by a link to a file outside", file: "project/out.txt", fault: "outside" },
    { why: "by a link to a folder outside", file: "project/folder/secret.txt", fault: "outside" },
    { why: "by a link to a device", file: "project/device.txt", fault: "outside" },
    { why: "the project itself", file: "project", fault: "outside" },
    { why: "with a hidden name", file: "project/.env.txt", fault: "hidden" },
    { why: "with a hidden name alone", file: "project/.env", fault: "hidden" },
    { why: "in a hidden folder", file: "project/.hidden/a.txt", fault: "hidden" },
    { why: "by a link to a hidden file", file: "project/to-hidden.txt", fault: "hidden" },
    { why: "with another ending", file: "project/notes.pem", fault: "ending" },
    { why: "with none", file: "project/words", fault: "ending" },
    { why: "by a link to another ending", file: "project/to-other.txt", fault: "ending" },
    { why: "a folder", file: "project/a folder.txt", fault: "unreadable" },
    { why: "a pipe that nobody writes to", file: "project/pipe.txt", fault: "unreadable" },
    { why: "a link to itself", file: "project/loop.txt", fault: "unreadable" },
    { why: "with a NUL", file: "project/words.txt\0.txt", fault: "unreadable" },
    { why: "not there", file: "project/gone.txt", fault: "missing" },
    { why: "a link to nothing", file: "project/nowhere.txt", fault: "missing" },
    { why: "of too many bytes", file: "project/large.txt", fault: "too-large" },
  ])("$why", async ({ file, fault }) => {
    expect(await projectFileFault(join(top, file), within("project"))).toBe(fault);
  });
});

it.each([
  { base: "/p", entries: ["/p/config/answerback.yaml", "/p/bots/*.ts"], folders: ["/p"] },
  { base: "/", entries: ["/p/config/answerback.yaml"], folders: ["/p"] },
  { base: "/home", entries: ["/p/config/rules/*.yaml"], folders: ["/home", "/p"] },
  { base: "/home", entries: ["/p/rules/**/*.yaml"], folders: ["/home", "/p/rules"] },
  { base: "/home", entries: [undefined, "/p/a.yaml"], folders: ["/home", "/p"] },
  { base: "/p/config", entries: ["/p/config/rules/a.yaml"], folders: ["/p/config"] },
])("the project of $entries in $base is $folders", ({ base, entries, folders }) => {
  expect(projectFolders(base, entries)).toEqual(folders);
});
