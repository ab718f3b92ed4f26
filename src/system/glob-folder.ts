import { statSync } from "node:fs";
import { dirname } from "node:path";

/** An absolute glob in two parts: folders that exist by their literal names, and the pattern below them. */
export interface SplitGlob {
  readonly folder: string;
  readonly rest: string;
}

/**
 * Splits a glob after the last of the folders that exist by their literal names: the folder of a project may have
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

/** The folder in which the files of an absolute glob are, or begin to be: it need not exist. Of a path its folder. */
export function globFolder(pattern: string): string {
  const { folder, rest } = splitGlob(pattern);
  const sign = /[*?[\]{}()!]/.exec(rest)?.index ?? rest.length;
  return dirname(`${folder}/${rest.slice(0, sign)}x`);
}

/** A folder that can't be looked at counts as a pattern. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
