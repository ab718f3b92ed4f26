import { chmod, mkdir, rmdir, stat } from "node:fs/promises";
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

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
const PERMISSIONS = 0o7777;

/**
 * Creates a folder for its owner only. In an existing folder of this user, other users lose the permission to write, because
 * they could replace its files.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(folder);
  // The sticky bit, as of /tmp, prevents that other users replace files.
  if (uid !== process.geteuid?.() || (mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return;
  // Some file systems have no permissions to change.
  await chmod(folder, mode & PERMISSIONS & ~OTHERS_WRITE).catch(() => undefined);
}
