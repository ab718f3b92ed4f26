import { watch } from "node:fs";
import { dirname, resolve } from "node:path";
import { settingsFor } from "../arguments/settings-flags.ts";
import { interrupted, type Io } from "../io.ts";
import { errorFor, formatError } from "../output/error-text.ts";
import { AnswerbackError } from "../../errors.ts";
import { type TestFlags, testRules } from "./test-rules.ts";

/** Time in milliseconds within which several file changes count as one save, since editors save in several steps. */
const ONE_SAVE_MS = 100;

/** Runs the tests, and again after each change in the folders of rules and tests, until Ctrl-C. */
export async function watchTests(
  io: Io,
  files: readonly string[],
  flags: TestFlags,
): Promise<void> {
  io.ends?.endWithReader();
  const { rules } = await settingsFor(io, flags);
  const named = files.map((file) => dirname(resolve(io.cwd, file)));
  const folders = new Set([...named, ...rules.map((glob) => dirname(glob))]);
  let changed = (): void => {};
  const watchers = [...folders].map((folder) => watch(folder, () => changed()));
  try {
    while (!io.signal.aborted) {
      const saved = new Promise<void>((next) => (changed = next));
      await runOnce(io, files, flags);
      io.err("Waiting for changes; press Ctrl-C to stop.\n");
      await Promise.race([saved, interrupted(io)]);
      await new Promise((next) => setTimeout(next, ONE_SAVE_MS));
    }
  } finally {
    for (const one of watchers) one.close();
  }
}

/** Runs the tests once. A mistake in a file is printed and, like a failed test, does not end the watch. */
async function runOnce(io: Io, files: readonly string[], flags: TestFlags): Promise<void> {
  try {
    await testRules(io, files, flags);
  } catch (error) {
    if (!(error instanceof AnswerbackError)) throw error;
    io.err(`${formatError(errorFor(error, flags), io.colors)}\n`);
  }
}
