import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, sep } from "node:path";
import { globFolder } from "./glob-folder.ts";
import { isMissingFile } from "./missing-file.ts";

/** Reason why a file of a rule, test or setting is refused. */
export type FileFault = "missing" | "outside" | "hidden" | "ending" | "too-large" | "unreadable";

/** Restrictions on files that may be opened. */
export interface FileBounds {
  /** Absolute folders that may contain the files, after resolving links. */
  readonly folders: readonly string[];
  /** Allowed file name extensions. */
  readonly endings: RegExp;
  readonly maxBytes: number;
}

/** An opened file that satisfies its restrictions. */
export interface OpenProjectFile {
  readonly file: FileHandle;
  readonly bytes: number;
  /** Path with all links resolved. */
  readonly path: string;
}

export const RULE_ENDINGS = /\.ya?ml$/;
export const LIST_ENDINGS = /\.(?:txt|text|list|csv|tsv)$/i;
export const MODULE_ENDINGS = /\.[cm]?[jt]sx?$/;

/** Maximum size in bytes of rule files, tests and modules, which people write as text. */
export const MAX_SOURCE_BYTES = 64 * 1024 * 1024;

/**
 * Opens a file that a rule, test or setting names. It must be a regular file below one of the folders, with an allowed
 * extension and without a hidden path part.
 *
 * @param place Absolute path.
 */
export async function openProjectFile(
  place: string,
  bounds: FileBounds,
): Promise<OpenProjectFile | { readonly refused: FileFault }> {
  try {
    const folders = await resolved(bounds.folders);
    // Check the name first: for a path outside the folders, not even its existence may be revealed.
    const named = faultOfPath(place, [...bounds.folders, ...folders]);
    if (named !== undefined) return { refused: named };
    const path = await realpath(place);
    const fault = faultOfPath(path, folders);
    if (fault !== undefined) return { refused: fault };
    if (![place, path].every((one) => bounds.endings.test(one))) return { refused: "ending" };
    return await openRegular(path, bounds.maxBytes);
  } catch (error) {
    return { refused: isMissingFile(error) ? "missing" : "unreadable" };
  }
}

/** Reason why {@link openProjectFile} would refuse a file; undefined if it may be opened. */
export async function projectFileFault(
  place: string,
  bounds: FileBounds,
): Promise<FileFault | undefined> {
  const opened = await openProjectFile(place, bounds);
  if ("refused" in opened) return opened.refused;
  await opened.file.close();
  return undefined;
}

/**
 * Folders that contain the project's files: `base`, and for each entry outside `base` the folder of its project.
 *
 * @param base Absolute working folder. The root of a file system is not used.
 * @param entries Absolute files and globs that the operator named.
 */
export function projectFolders(
  base: string,
  entries: readonly (string | undefined)[],
): readonly string[] {
  const own = dirname(base) === base ? [] : [base];
  const beyond = entries
    .filter((entry) => entry !== undefined)
    .filter((entry) => !own.some((folder) => isWithin(folder, entry)))
    .map((entry) => projectOf(globFolder(entry)));
  return [...new Set([...own, ...beyond])];
}

/** Whether the path `place` is below the path `folder`. */
export function isWithin(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns the folder that contains `config`, for `config` or a folder in it; other folders unchanged. */
function projectOf(folder: string): string {
  const above = [folder, dirname(folder)].find((one) => basename(one) === "config");
  return above === undefined ? folder : dirname(above);
}

async function resolved(folders: readonly string[]): Promise<readonly string[]> {
  return Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
}

function faultOfPath(place: string, folders: readonly string[]): FileFault | undefined {
  const containing = folders.filter((folder) => isWithin(folder, place));
  if (containing.length === 0) return "outside";
  return containing.some((folder) => !isHidden(relative(folder, place))) ? undefined : "hidden";
}

/** Whether a path has a hidden part, such as `.env` or `.git`. `..data` is allowed: Kubernetes mounts files there. */
function isHidden(way: string): boolean {
  return way.split(sep).some((part) => /^\.(?!\.)/.test(part));
}

/** Opens a regular file without blocking on pipes. Refuses a link that has replaced the file since the checks. */
async function openRegular(
  path: string,
  maxBytes: number,
): Promise<OpenProjectFile | { readonly refused: FileFault }> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const info = await file.stat();
    const fault = info.isFile() ? (info.size > maxBytes ? "too-large" : undefined) : "unreadable";
    if (fault === undefined) return { file, bytes: info.size, path };
    await file.close();
    return { refused: fault };
  } catch (error) {
    await file.close();
    throw error;
  }
}
