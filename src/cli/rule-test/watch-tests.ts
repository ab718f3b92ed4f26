import { type FSWatcher, watch } from "node:fs";
import { basename, resolve } from "node:path";
import { settingsFor } from "../arguments/settings-flags.ts";
import { interrupted, type Io } from "../io.ts";
import { errorFor, formatError } from "../output/error-text.ts";
import { AnswerbackError, UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import { splitGlob } from "../../system/files/glob-folder.ts";
import { type TestFlags, testRules } from "./test-rules.ts";

/** Time in milliseconds within which several file changes count as one save, since editors save in several steps. */
const ONE_SAVE_MS = 100;

/** Runs the tests, and again after each change in the folders of rules, bots and tests, until Ctrl-C. */
export async function watchTests(
  io: Io,
  files: readonly string[],
  flags: TestFlags,
): Promise<void> {
  io.ends?.endWithReader();
  const { rules, bots } = await settingsFor(io, flags);
  const watched = new Set([
    ...rules,
    ...bots,
    ...files.map((file) => resolve(io.cwd, file)),
    resolve(io.cwd, "a.test.yaml"),
  ]);
  while (!io.signal.aborted) {
    const watches = [watchFolders([...watched], flags)];
    try {
      const tested = await runOnce(io, files, flags);
      for (const file of tested) watched.add(file);
      watches.push(watchFolders(tested, flags));
      io.err("Waiting for changes; press Ctrl-C to stop.\n");
      await Promise.race([...watches.map(({ saved }) => saved), interrupted(io)]);
      await new Promise((next) => setTimeout(next, ONE_SAVE_MS));
    } finally {
      for (const { end } of watches) end();
    }
  }
}

/**
 * Watches the folders of files. In place of a folder that does not exist, watches the nearest one above.
 *
 * @param files Absolute paths or globs.
 * @returns `saved` resolves at the first change of a file, other than hidden files and the report of the tests.
 * @throws {UsageError} when a folder can't be watched.
 */
function watchFolders(
  files: readonly string[],
  { junit = "" }: TestFlags,
): { readonly saved: Promise<void>; readonly end: () => void } {
  let changed = (): void => {};
  const saved = new Promise<void>((next) => (changed = next));
  const isOurs = (name: string): boolean => name.startsWith(".") || name === basename(junit);
  const watchers: FSWatcher[] = [];
  const end = (): void => watchers.forEach((one) => one.close());
  for (const folder of new Set(files.map((file) => splitGlob(file).folder))) {
    try {
      const watcher = watch(folder, (_, name) => {
        if (name === null || !isOurs(name)) changed();
      });
      watchers.push(watcher.on("error", changed));
    } catch (error) {
      end();
      throw new UsageError(`${folder} can't be watched: ${messageOf(error)}`, { cause: error });
    }
  }
  return { saved, end };
}

/**
 * Runs the tests once. A mistake in a file is printed and, like a failed test, does not end the watch.
 *
 * @returns The absolute paths of the rules and bots that were tested.
 */
async function runOnce(
  io: Io,
  files: readonly string[],
  flags: TestFlags,
): Promise<readonly string[]> {
  try {
    return (await testRules(io, files, flags)).tested;
  } catch (error) {
    if (!(error instanceof AnswerbackError)) throw error;
    io.err(`${formatError(errorFor(error, flags), io.colors)}\n`);
    return [];
  }
}
