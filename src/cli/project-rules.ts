import { dirname, join, relative, resolve } from "node:path";
import { findRuleFiles } from "../config/find-files.ts";
import { ConfigError, hasErrors } from "../config/problem.ts";
import { UsageError } from "../errors.ts";
import {
  compile,
  type SourceFile,
  type ReadNamedFile,
  withNamedFiles,
  MAX_NAMED_FILE,
} from "../rules/compile.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import { projectFolders } from "../system/files/project-file.ts";
import { namedFileReader } from "../system/files/read-named-file.ts";
import { readTextFile } from "./arguments/read-input.ts";
import { settingsFor, type SettingsFlags } from "./arguments/settings-flags.ts";
import type { Io } from "./io.ts";

/** Reads and compiles the rule files of the settings. Rules with mistakes are left out. */
export async function projectRules(io: Io, flags: SettingsFlags): Promise<Ruleset> {
  return compile(await projectFiles(io, flags)).ruleset;
}

/** Reads the rule files of the settings, and the files that these rule files name. */
export async function projectFiles(io: Io, flags: SettingsFlags): Promise<readonly SourceFile[]> {
  const { rules, file: settings } = await settingsFor(io, flags);
  const folders = projectFolders(io.cwd, [settings, ...rules]);
  const read = namedFileReader({ base: io.cwd, folders, most: MAX_NAMED_FILE });
  return sources(io, await findRuleFiles(rules, io.cwd), {
    pathOf: (file) => relative(io.cwd, file),
    read,
  });
}

/**
 * Compiles the rules of `folder` as if they were in the rule folder of the settings, so that the revisions of unchanged
 * rules are equal.
 *
 * @throws {UsageError} if the folder has no rules.
 * @throws {ConfigError} if the rules contain a mistake.
 */
export async function rulesInstead(io: Io, folder: string, flags: SettingsFlags): Promise<Ruleset> {
  return soundly(await filesInstead(io, folder, flags));
}

/**
 * Reads the rule files of `folder` as texts, after checking them for mistakes.
 *
 * @throws {UsageError} if the folder has no rules.
 * @throws {ConfigError} if the rules contain a mistake.
 */
export async function soundFilesInstead(
  io: Io,
  folder: string,
  flags: SettingsFlags,
): Promise<readonly SourceFile[]> {
  const files = await filesInstead(io, folder, flags);
  soundly(files);
  return files;
}

function soundly(files: readonly SourceFile[]): Ruleset {
  const { ruleset, problems } = compile(files);
  if (hasErrors(problems)) throw new ConfigError(problems);
  return ruleset;
}

async function filesInstead(
  io: Io,
  folder: string,
  flags: SettingsFlags,
): Promise<readonly SourceFile[]> {
  const { rules } = await settingsFor(io, flags);
  const files = await findRuleFiles([join(folder, "**/*.{yaml,yml}")], io.cwd);
  if (files.length === 0) {
    throw new UsageError(`there are no rules in ${folder}`, {
      hint: "name the folder that holds the edited rule files, as in: --rules edited",
    });
  }
  const place = relative(io.cwd, dirname(rules[0] ?? folder));
  const base = resolve(io.cwd, folder);
  const read = namedFileReader({ base, folders: [base], most: MAX_NAMED_FILE });
  return sources(io, files, {
    pathOf: (file) => join(place, relative(folder, file)),
    read: (path) => read(relative(place, path)),
  });
}

interface Places {
  /** Returns the path of a rule file that is used in problems and in the rules' revisions. */
  readonly pathOf: (file: string) => string;
  readonly read: ReadNamedFile;
}

async function sources(
  io: Io,
  files: readonly string[],
  { pathOf, read }: Places,
): Promise<readonly SourceFile[]> {
  const texts = await Promise.all(
    files.map(async (file) => ({ path: pathOf(file), text: await readTextFile(io.cwd, file) })),
  );
  return withNamedFiles(texts, read);
}
