import { readdir } from "node:fs/promises";
import path from "node:path";

/**
 * The files that absolute globs name, absolute and sorted, each once.
 *
 * `*` stands for anything but a slash, `**` for folders at any depth. A folder that isn't there holds
 * no files.
 */
export async function findFiles(globs: readonly string[]): Promise<string[]> {
  const found = await Promise.all(globs.map((glob) => filesOf(glob)));
  return [...new Set(found.flat())].sort();
}

async function filesOf(glob: string): Promise<string[]> {
  const parts = glob.split(/[\\/]/);
  const wild = parts.findIndex((part) => part.includes("*"));
  const fixed = wild < 0 ? parts.slice(0, -1) : parts.slice(0, wild);
  const folder = fixed.join("/") || "/";
  const pattern = toPattern(parts.slice(fixed.length).join("/"));
  const names = await namesIn(folder, glob.includes("**") || parts.length > fixed.length + 1);
  return names.filter((name) => pattern.test(name)).map((name) => path.join(folder, name));
}

function toPattern(glob: string): RegExp {
  const source = glob
    .replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(/\*\*\/|\*/g, (star) => (star === "*" ? "[^/]*" : "(?:.*/)?"));
  return new RegExp(`^${source}$`);
}

/** Paths of the files in `folder`, from there, with forward slashes. */
async function namesIn(folder: string, recursive: boolean): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .map((name) => name.replaceAll(path.sep, "/"));
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isMissing) return [];
    throw error;
  }
}
