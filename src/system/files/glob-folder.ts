import { statSync } from "node:fs";
import { dirname } from "node:path";

/** An absolute glob in two parts: an existing folder, and the pattern below it. */
export interface SplitGlob {
  readonly folder: string;
  readonly rest: string;
}

/**
 * Splits a glob after the last folder that exists under its literal name, because the folder of a project may have
 * parentheses or brackets in its name.
 */
export function splitGlob(pattern: string): SplitGlob {
  const names = pattern.split("/");
  for (let count = names.length - 1; count > 0; count -= 1) {
    const folder = names.slice(0, count).join("/");
    if (isFolder(folder)) return { folder, rest: names.slice(count).join("/") };
  }
  return { folder: "", rest: pattern.replace(/^\//, "") };
}

/**
 * Returns the folder below which all files of an absolute glob are; the folder need not exist. For a plain path it is
 * the path's folder.
 */
export function globFolder(pattern: string): string {
  const { folder, rest } = splitGlob(pattern);
  const sign = /[*?[\]{}()!]/.exec(rest)?.index ?? rest.length;
  return dirname(`${folder}/${rest.slice(0, sign)}x`);
}

/** Whether a path is a folder. A folder that can't be read counts as part of the pattern. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
