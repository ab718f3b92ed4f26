import { dirname, join, relative, resolve } from "node:path";
import { findTestFiles } from "../../config/find-files.ts";
import { UsageError } from "../../errors.ts";
import type { TestSource } from "../../insight/tests/run-files.ts";
import { readTextFile } from "../arguments/read-input.ts";
import { settingsFor, type SettingsFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";

/**
 * Returns the named test files, or else all test files beside the rules and bots of the settings, and in the current
 * folder.
 *
 * @throws {UsageError} if there are none, or a named one can't be read.
 */
export async function findTests(
  io: Io,
  named: readonly string[],
  flags: SettingsFlags,
): Promise<readonly TestSource[]> {
  const files = named.length > 0 ? named : await beside(io, flags);
  if (files.length === 0) {
    throw new UsageError("no test file was found beside the rules or bots, or in this folder", {
      hint: "write tests in a file such as rules/faq.test.yaml, or name files: answerback test FILES",
    });
  }
  return Promise.all(
    files.map(async (file) => ({
      path: relative(io.cwd, resolve(io.cwd, file)),
      text: await readTextFile(io.cwd, file),
    })),
  );
}

async function beside(io: Io, flags: SettingsFlags): Promise<readonly string[]> {
  const { rules, bots } = await settingsFor(io, flags);
  const folders = new Set([...rules, ...bots].map((glob) => dirname(glob)));
  const beside = [...folders.add(io.cwd)].map((folder) => join(folder, "*.test.{yaml,yml}"));
  return findTestFiles(beside, io.cwd);
}
