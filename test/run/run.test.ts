import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../src/packaging/bundle.ts";
import { processesThatName } from "./left-processes.ts";

const VITEST = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
const CONFIG = join(ROOT, "test/fixtures/run/vitest.config.ts");

/** Runs test files of `fixtures/run` in a separate process. */
function run(...files: readonly string[]): Promise<{ code: number; out: string }> {
  const env = {
    ...process.env,
    CHROMIUM_PATH: "/nowhere/chromium",
    NO_COLOR: "1",
    npm_lifecycle_event: "",
  };
  const args = [VITEST, "run", "--config", CONFIG, ...files];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, cwd: ROOT }, (error, stdout) => {
      resolve({ code: error === null ? 0 : Number(error.code), out: stdout });
    });
  });
}

const lastLines = (out: string, count: number): readonly string[] =>
  out.trim().split("\n").slice(-count);

it("ends a process that a test has left behind, names it, fails, and removes the temporary folder", async () => {
  const { code, out } = await run("leaves");

  const [, folder = "", pid = ""] = /^folder (.+) process (\d+)$/mu.exec(out) ?? [];
  expect(out).toContain(`left behind and killed: process ${pid}: `);
  expect({ code, last: lastLines(out, 1) }).toEqual({ code: 1, last: ["1 passed, 1 failed"] });
  expect(folder).not.toBe("");
  expect(existsSync(folder)).toBe(false);
  expect(processesThatName([folder])).toEqual([]);
});

it("succeeds without left processes even if a browser is missing, and lists the skipped tests", async () => {
  const { code, out } = await run("tidy", "browser");

  expect(out).not.toContain("left behind");
  expect({ code, last: lastLines(out, 2) }).toEqual({
    code: 0,
    last: [
      "not run: 1 file needs a browser (no Chromium starts at CHROMIUM_PATH=/nowhere/chromium)",
      "1 passed, 0 failed",
    ],
  });
});
