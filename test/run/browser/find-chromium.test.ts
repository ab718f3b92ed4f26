import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findChromium } from "./find-chromium.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "programs-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const WORKS = "echo Chromium 150.0.1";
const BROKEN = "echo install the snap >&2; exit 1";

async function find(env: Readonly<Record<string, string>>) {
  const said: string[] = [];
  const program = await findChromium({ env, say: (line) => said.push(line) });
  return { path: program?.path, said };
}

describe("a browser for the tests", () => {
  it("is the one that CHROMIUM_PATH names, and no other", async () => {
    const CHROMIUM_PATH = await program("mine", WORKS);
    await program("chromium", WORKS);

    expect(await find({ CHROMIUM_PATH, PATH: folder })).toEqual({ path: CHROMIUM_PATH, said: [] });
  });

  it.each([
    { why: "is not there", script: undefined },
    { why: "does not start", script: BROKEN },
  ])("is none where the one that CHROMIUM_PATH names $why", async ({ script }) => {
    await program("chromium", WORKS);
    const CHROMIUM_PATH = join(folder, "mine");
    if (script !== undefined) await program("mine", script);

    expect(await find({ CHROMIUM_PATH, PATH: folder })).toEqual({ path: undefined, said: [] });
  });

  it("is the first one of PATH that starts", async () => {
    await program("first/chromium", BROKEN);
    const path = await program("second/google-chrome", WORKS);
    const PATH = [join(folder, "first"), join(folder, "second")].join(delimiter);

    expect(await find({ PATH })).toEqual({ path, said: [] });
  });

  it("is neither fetched nor installed if ANSWERBACK_TEST_INSTALL forbids it", async () => {
    const { said } = await find({ PATH: folder, ANSWERBACK_TEST_INSTALL: "0" });

    expect(said).toEqual([]);
  });
});
