import { randomBytes } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissingFile } from "../../system/files/missing-file.ts";
import { syncFile } from "../../system/files/own-file.ts";

/**
 * Size of the test file. It exceeds the several 4 KiB pages that the store appends at once, so the last few free bytes
 * don't suffice.
 */
const PROBE_BYTES = 256 * 1024;

/**
 * Writes a file to the disk and removes it.
 *
 * @throws the system's error if there is no room, or this user may not write there.
 */
export async function proveWritable(folder: string): Promise<void> {
  const path = join(folder, `.doctor-${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(path, "wx");
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES));
      await syncFile(file);
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** The nearest existing folder above a missing one. */
export async function parentOf(folder: string): Promise<string> {
  const parent = dirname(folder);
  try {
    await stat(parent);
    return parent;
  } catch (error) {
    if (!isMissingFile(error) || parent === folder) throw error;
    return parentOf(parent);
  }
}
