import { existsSync, statSync } from "node:fs";
import { StoreError } from "../../errors.ts";
import { type Database, IN_MEMORY } from "../binding.ts";
import type { StoreFault } from "../calls.ts";

/** Maximum bytes of a file whose pages are all checked at each start. The check takes some hundredths of a second. */
const LOOKED_THROUGH_BYTES = 16 * 1024 * 1024;

/**
 * Checks a file for damage: its length, and in a small file the structure of all pages.
 *
 * In a larger file, SQLite reports a damaged page only when it reads the page. The process ends at that time.
 *
 * @throws {StoreError} `store-corrupt` if the file is damaged.
 */
export function checkSoundness(db: Database, path: string): void {
  if (path === IN_MEMORY) return;
  const one = (name: string): number =>
    db.prepare<Record<string, number>>(`PRAGMA ${name}`).get()?.[name] ?? 0;
  const bytes = statSync(path).size;
  const expected = one("page_count") * one("page_size");
  // If there is a WAL, the last pages may be in the WAL and not yet in the file.
  if (bytes < expected && !existsSync(`${path}-wal`)) {
    throw corrupt(`it has ${bytes} bytes of ${expected}`);
  }
  if (bytes > LOOKED_THROUGH_BYTES) return;
  const result = db.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get()?.quick_check;
  if (result !== undefined && result !== "ok") throw corrupt(result);
}

/** Fault of a damaged file, with a remedy. */
export function damaged(what: string): StoreFault {
  return {
    code: "store-corrupt",
    message: `the store is damaged, or is no store: ${what.replaceAll(/\s+/g, " ")}`,
    hint: "bring back a backup with: answerback restore FILE   (existing files are moved to before-restore.TIME in the data folder), or choose another folder",
  };
}

function corrupt(what: string): StoreError {
  const { code, message, hint } = damaged(what);
  return new StoreError(code, message, { hint });
}
