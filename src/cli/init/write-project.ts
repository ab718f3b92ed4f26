import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isExistingFile, isMissingFile } from "../../system/files/missing-file.ts";
import { writeNewFile } from "../../system/files/own-file.ts";

/** Whether a folder is empty or missing; ignores `.git`. */
export async function isEmpty(folder: string): Promise<boolean> {
  const entryNames = await readdir(folder).catch((error: unknown) => {
    if (isMissingFile(error)) return [];
    throw error;
  });
  return entryNames.every((name) => name === ".git");
}

/** Writes files by their paths in `folder`. Keeps existing files. */
export async function writeProject(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly written: readonly string[]; readonly keptFiles: readonly string[] }> {
  const written: string[] = [];
  const keptFiles: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    try {
      await writeNewFile(folder, join(folder, path), text);
      written.push(path);
    } catch (error) {
      if (!isExistingFile(error)) throw error;
      keptFiles.push(path);
    }
  }
  return { written, keptFiles };
}
