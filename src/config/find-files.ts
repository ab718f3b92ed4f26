import { relative } from "node:path";
import { escapePath, glob } from "tinyglobby";
import { globFolder, splitGlob } from "../system/files/glob-folder.ts";
import {
  type FileFault,
  MAX_SOURCE_BYTES,
  MODULE_ENDINGS,
  projectFileFault,
  projectFolders,
  RULE_ENDINGS,
} from "../system/files/project-file.ts";
import { ConfigError, type Problem } from "./problem.ts";

/**
 * Returns the absolute paths that globs match, sorted and without duplicates. The paths may lead outside the project:
 * to read or load files, use {@link findRuleFiles} and the functions after it.
 *
 * A folder that does not exist counts as empty.
 */
export async function listFiles(globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  const filePaths = await glob(globs.map(withLiteralFolder), {
    absolute: true,
    onlyFiles: true,
    expandDirectories: false,
  });
  return filePaths.sort();
}

/**
 * Finds the rule files that absolute globs match, without the tests (`*.test.yaml`) beside them.
 *
 * @param base Absolute working folder.
 * @throws {ConfigError} for a file outside the project, a hidden, too large or unreadable file, or another file name
 * extension.
 */
export async function findRuleFiles(globs: readonly string[], base: string): Promise<string[]> {
  return (await findFilesInBounds(globs, base, RULE_ENDINGS)).filter((file) => !isTestFile(file));
}

/** Finds files with tests of rules; otherwise like {@link findRuleFiles}. */
export async function findTestFiles(globs: readonly string[], base: string): Promise<string[]> {
  return (await findFilesInBounds(globs, base, RULE_ENDINGS)).filter(isTestFile);
}

/** Finds bot modules; otherwise like {@link findRuleFiles}. */
export async function findModules(globs: readonly string[], base: string): Promise<string[]> {
  return findFilesInBounds(globs, base, MODULE_ENDINGS);
}

/** Whether a file's name is that of a file with tests of rules. */
export function isTestFile(file: string): boolean {
  return /\.test\.ya?ml$/.test(file);
}

function withLiteralFolder(pattern: string): string {
  const { folder, rest } = splitGlob(pattern);
  return `${escapePath(folder)}/${rest}`;
}

async function findFilesInBounds(
  globs: readonly string[],
  base: string,
  endings: RegExp,
): Promise<string[]> {
  const files = await listFiles(globs);
  // Symbolic links may lead into the project, or into a folder that a glob names outside the project.
  const folders = [...new Set([...projectFolders(base, globs), ...globs.map(globFolder)])];
  const bounds = { folders, endings, maxBytes: MAX_SOURCE_BYTES };
  const faults = await Promise.all(files.map((file) => projectFileFault(file, bounds)));
  const problems = faults.flatMap((fault, index): readonly Problem[] => {
    const file = relative(base, files[index] ?? "");
    return fault === undefined || fault === "missing" ? [] : [problemOf(file, fault, endings)];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return files.filter((_, index) => faults[index] === undefined);
}

function problemOf(file: string, fault: Exclude<FileFault, "missing">, endings: RegExp): Problem {
  const [message, help] = WHY[fault](endings === MODULE_ENDINGS ? "a bot module" : "a rule file");
  const place = { file, line: 1, column: 1, length: 1 };
  return { ...place, severity: "error", code: "named-file", message, help };
}

const WHY: Readonly<
  Record<Exclude<FileFault, "missing">, (kind: string) => readonly [what: string, help: string]>
> = {
  outside: () => [
    "this is a link to a file outside the project",
    "copy the file into the project, or name its own folder in the settings",
  ],
  hidden: () => [
    "this file is hidden: its name, or a folder in its path, begins with a dot",
    "give it a name without a dot at the beginning, or write a glob that leaves it out",
  ],
  ending: (kind) => [
    `this is not ${kind}, by the ending of its name or of the file that it links to`,
    "write a glob that names only such files",
  ],
  "too-large": () => [`this file has more than ${MAX_SOURCE_BYTES / 2 ** 20} MiB`, "split it"],
  unreadable: (kind) => [
    `this can't be read as ${kind}`,
    "check that it is a file, and its permissions",
  ],
};
