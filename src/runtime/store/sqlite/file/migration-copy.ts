import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Database } from "../binding.ts";

/** That a file of an older version was brought up. */
export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** The file as it was. */
  readonly copy: string;
}

/**
 * Keeps a copy of a file that is about to be brought up to a newer version, beside it.
 *
 * @param version The version that the file has.
 * @returns The copy's path.
 */
export function copyBeforeMigration(db: Database, path: string, version: number): string {
  const copy = join(dirname(path), `store.version-${version}.db`);
  const unfinished = `${copy}.next`;
  rmSync(unfinished, { force: true });
  // Made here, so that nobody else may read it from its first byte.
  closeSync(openSync(unfinished, "wx", 0o600));
  try {
    db.exec(`VACUUM INTO '${unfinished.replaceAll("'", "''")}'`);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  renameSync(unfinished, copy);
  return copy;
}
