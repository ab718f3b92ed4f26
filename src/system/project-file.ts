import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, sep } from "node:path";
import { globFolder } from "./glob-folder.ts";
import { isMissingFile } from "./missing-file.ts";

/** Reason for which a file that a rule, test or setting names is not opened. */
export type FileFault = "missing" | "outside" | "hidden" | "ending" | "too-large" | "unreadable";

/** Limits of the files that may be opened. */
export interface FileBounds {
  /** The files lie below one of these folders, links resolved. Absolute. */
  readonly folders: readonly string[];
  /** Endings of their names. */
  readonly endings: RegExp;
  readonly maxBytes: number;
}

/** A file within its bounds. */
export interface OpenProjectFile {
  readonly file: FileHandle;
  readonly bytes: number;
  /** Its path with all links resolved. */
  readonly path: string;
}

export const RULE_ENDINGS = /\.ya?ml$/;
export const LIST_ENDINGS = /\.(?:txt|text|list|csv|tsv)$/i;
export const MODULE_ENDINGS = /\.[cm]?[jt]sx?$/;

/** Rule files, tests and modules are text that people write. Bytes. */
export const MAX_SOURCE_BYTES = 64 * 1024 * 1024;

/**
 * Opens a file that a rule, test or setting names: a regular file below one of the folders, with a known ending, and
 * with no part of its path hidden.
 *
 * @param place Absolute path.
 */
export async function openProjectFile(
  place: string,
  bounds: FileBounds,
): Promise<OpenProjectFile | { readonly refused: FileFault }> {
  try {
    const folders = await resolved(bounds.folders);
    // Outside, it is not even told whether a file is there.
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

/** Why a file is not opened, as in {@link openProjectFile}; undefined: it may be. */
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
 * The folders that files of a project are in: `base`, and the project of each entry that lies elsewhere.
 *
 * @param base The working folder, absolute. The root of a file system is no project.
 * @param entries Files that the operator names, and globs of them. Absolute.
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

/** Whether `place` lies below `folder`, by their names. */
export function isWithin(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** `project` of `project/config` and of `project/config/rules`. */
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

/** `.env` and `.git/config` are hidden. `..data` is how Kubernetes mounts files. */
function isHidden(way: string): boolean {
  return way.split(sep).some((part) => /^\.(?!\.)/.test(part));
}

/** Does not wait for a pipe, and follows no link that has taken the file's place meanwhile. */
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
