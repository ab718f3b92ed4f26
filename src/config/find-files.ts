import { glob } from "tinyglobby";

/**
 * The files that absolute globs name, absolute and sorted, each once.
 *
 * A folder that isn't there holds no files.
 */
export async function findFiles(globs: readonly string[]): Promise<string[]> {
  if (globs.length === 0) return [];
  const found = await glob([...globs], {
    absolute: true,
    onlyFiles: true,
    expandDirectories: false,
  });
  return found.sort();
}

/** The rule files that absolute globs name: their tests, `*.test.yaml`, stand beside them and are none. */
export async function findRuleFiles(globs: readonly string[]): Promise<string[]> {
  return (await findFiles(globs)).filter((file) => !isTestFile(file));
}

/** Whether a file holds tests of rules, by its name. */
export function isTestFile(file: string): boolean {
  return /\.test\.ya?ml$/.test(file);
}
