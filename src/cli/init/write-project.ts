import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissingFile } from "../../system/missing-file.ts";

/** Whether a folder is empty or missing; a `.git` in it does not count. */
export async function isEmpty(folder: string): Promise<boolean> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (isMissingFile(error)) return [];
    throw error;
  });
  return found.every((name) => name === ".git");
}

/** Writes files by their paths in `folder`. One that is there already stays as it is. */
export async function writeProject(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly written: readonly string[]; readonly kept: readonly string[] }> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    try {
      await writeFile(file, text, { flag: "wx" });
      written.push(path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      kept.push(path);
    }
  }
  return { written, kept };
}
