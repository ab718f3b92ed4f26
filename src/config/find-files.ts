import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { escapePath, glob } from "tinyglobby";

/**
 * The files that absolute globs name, absolute and sorted, each once.
 *
 * A folder that isn't there holds no files.
 */
export async function findFiles(globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  const found = await glob(await Promise.all(globs.map(withLiteralFolder)), {
    absolute: true,
    onlyFiles: true,
    expandDirectories: false,
  });
  return found.sort();
}

/** The folder in which the files of an absolute glob are, or begin to be: it need not exist. */
export async function folderOfGlob(pattern: string): Promise<string> {
  const { folder, rest } = await splitGlob(pattern);
  const sign = /[*?[\]{}()!]/.exec(rest)?.index ?? rest.length;
  return dirname(`${folder}/${rest.slice(0, sign)}x`);
}

async function withLiteralFolder(pattern: string): Promise<string> {
  const { folder, rest } = await splitGlob(pattern);
  return `${escapePath(folder)}/${rest}`;
}

/**
 * Splits a glob after the last of the folders that exist by their literal names: the folder of a project may have
 * parentheses or brackets in its name.
 */
async function splitGlob(pattern: string): Promise<{ folder: string; rest: string }> {
  const names = pattern.split("/");
  for (let count = names.length - 1; count > 0; count -= 1) {
    const folder = names.slice(0, count).join("/");
    if (await isThere(folder)) return { folder, rest: names.slice(count).join("/") };
  }
  return { folder: "", rest: pattern.replace(/^\//, "") };
}

/** What can't be looked at is left to the search, as a pattern. */
function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The rule files that absolute globs name: their tests, `*.test.yaml`, stand beside them and are none. */
export async function findRuleFiles(globs: readonly string[]): Promise<string[]> {
  return (await findFiles(globs)).filter((file) => !isTestFile(file));
}

/** Whether a file holds tests of rules, by its name. */
export function isTestFile(file: string): boolean {
  return /\.test\.ya?ml$/.test(file);
}
