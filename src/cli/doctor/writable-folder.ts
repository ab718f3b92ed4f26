import { randomBytes } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissingFile } from "../../system/missing-file.ts";

/** A full disk may still have room for a few bytes: the store appends pages of 4 KiB, several at a time. */
const PROBE_BYTES = 256 * 1024;

/**
 * Writes a small file to the disk and removes it.
 *
 * @throws what the system says when there is no room, or this user may not write there.
 */
export async function proveWritable(folder: string): Promise<void> {
  const path = join(folder, `.doctor-${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(path, "wx");
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** The nearest folder that exists, above one that does not. */
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
