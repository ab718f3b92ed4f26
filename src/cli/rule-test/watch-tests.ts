import { watch } from "node:fs";
import { dirname, resolve } from "node:path";
import { settingsFor } from "../arguments/settings-flags.ts";
import { interrupted, type Io } from "../io.ts";
import { formatError } from "../output/error-text.ts";
import { AnswerbackError } from "../../errors.ts";
import { type TestFlags, testRules } from "./test-rules.ts";

/** Editors save in several steps: what comes within this is one change. Milliseconds. */
const ONE_SAVE_MS = 100;

/** Runs the tests, and again after each change of a file in the folders of rules and tests, until Ctrl-C. */
export async function watchTests(
  io: Io,
  files: readonly string[],
  flags: TestFlags,
): Promise<void> {
  const { rules } = await settingsFor(io, flags);
  const named = files.map((file) => dirname(resolve(io.cwd, file)));
  const folders = new Set([...named, ...rules.map((glob) => dirname(glob))]);
  let changed = (): void => {};
  const watchers = [...folders].map((folder) => watch(folder, () => changed()));
  try {
    while (!io.signal.aborted) {
      const saved = new Promise<void>((next) => (changed = next));
      await runOnce(io, files, flags);
      io.err("Waiting for changes; Ctrl-C ends.\n");
      await Promise.race([saved, interrupted(io)]);
      await new Promise((next) => setTimeout(next, ONE_SAVE_MS));
    }
  } finally {
    for (const one of watchers) one.close();
  }
}

/** A mistake in a file is told, and waits for the next save like a failed test. */
async function runOnce(io: Io, files: readonly string[], flags: TestFlags): Promise<void> {
  try {
    await testRules(io, files, flags);
  } catch (error) {
    if (!(error instanceof AnswerbackError)) throw error;
    io.err(`${formatError(error, io.colors)}\n`);
  }
}
