import { mkdir, rmdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isFilledFolder, isMissingFile } from "./missing-file.ts";

/**
 * Creates a folder and its missing parents, for their owner only.
 *
 * @returns A function that removes the created folders again. It keeps existing folders, and those that have files.
 */
export async function createFolder(folder: string): Promise<() => Promise<void>> {
  const innermost = resolve(folder);
  const outermost = await mkdir(innermost, { recursive: true, mode: 0o700 });
  return async () => {
    if (outermost === undefined) return;
    try {
      for (let path = innermost; path.length >= outermost.length; path = dirname(path)) {
        await rmdir(path);
      }
    } catch (error) {
      if (!isFilledFolder(error) && !isMissingFile(error)) throw error;
    }
  };
}
