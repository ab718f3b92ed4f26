import { existsSync, mkdirSync, statSync } from "node:fs";
import { chmod, rmdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isFilledFolder, isMissingFile } from "./missing-file.ts";

/**
 * Creates a folder and its missing parents. Keeps an existing folder.
 *
 * Replaces the option `recursive` of Node, which never ends if the system reports ENOENT for a folder whose parent
 * exists, as in `/proc`.
 *
 * @param mode Permission bits of the new folders.
 * @returns The outermost created folder; undefined if the folder existed.
 * @throws Node's error if the folder can't be created.
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  const path = resolve(folder);
  const parent = dirname(path);
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
    if (!isMissingFile(error) || existsSync(parent)) throw error;
  }
  const outermost = makeFolder(parent, mode);
  const innermost = makeFolder(path, mode);
  return outermost ?? innermost;
}

/**
 * Creates a folder and its missing parents, for their owner only.
 *
 * @returns A function that removes the created folders again. It keeps existing folders, and those that have files.
 */
export async function createFolder(folder: string): Promise<() => Promise<void>> {
  const innermost = resolve(folder);
  const outermost = makeFolder(innermost, 0o700);
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

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
const PERMISSIONS = 0o7777;

/**
 * Creates a folder for its owner only. In an existing folder of this user, other users lose the permission to write, because
 * they could replace its files.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  makeFolder(folder, 0o700);
  const { uid, mode } = await stat(folder);
  // The sticky bit, as of /tmp, prevents that other users replace files.
  if (uid !== process.geteuid?.() || (mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return;
  // Some file systems have no permissions to change.
  await chmod(folder, mode & PERMISSIONS & ~OTHERS_WRITE).catch(() => undefined);
}
