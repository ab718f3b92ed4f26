import { closeSync, fsyncSync, openSync } from "node:fs";
import { errorCode } from "../error-code.ts";

/**
 * Waits until the names of the files in a folder are on disk. Does nothing on a file system that can't sync folders,
 * such as a shared folder of a virtual machine; SQLite ignores that, too.
 *
 * @param fsync Syncs the file of a descriptor.
 */
export function syncFolder(folder: string, fsync = fsyncSync): void {
  const descriptor = openSync(folder, "r");
  try {
    fsync(descriptor);
  } catch (error) {
    if (!WITHOUT_SYNC.has(errorCode(error) ?? "")) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Error codes of file systems that can't sync folders. */
const WITHOUT_SYNC = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
