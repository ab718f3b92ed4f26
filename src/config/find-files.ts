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
