import { existsSync, statSync } from "node:fs";
import { StoreError } from "../../errors.ts";
import { type Database, IN_MEMORY } from "../binding.ts";
import type { StoreFault } from "../calls.ts";

/** A file of this size or less is looked through at each start: that takes some hundredths of a second. */
const LOOKED_THROUGH_BYTES = 16 * 1024 * 1024;

/**
 * Looks whether the file is whole: its length, and the structure of all its pages where it is small.
 *
 * What is damaged in a larger one is noticed when it is read, and ends the process then.
 *
 * @throws {StoreError} `store-corrupt` when it is not.
 */
export function checkSoundness(db: Database, path: string): void {
  if (path === IN_MEMORY) return;
  const one = (name: string): number =>
    db.prepare<Record<string, number>>(`PRAGMA ${name}`).get()?.[name] ?? 0;
  const bytes = statSync(path).size;
  const expected = one("page_count") * one("page_size");
  // As long as there is a log, the last pages may be in it alone.
  if (bytes < expected && !existsSync(`${path}-wal`)) {
    throw corrupt(`it has ${bytes} bytes of ${expected}`);
  }
  if (bytes > LOOKED_THROUGH_BYTES) return;
  const found = db.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get()?.quick_check;
  if (found !== undefined && found !== "ok") throw corrupt(found);
}

/** What to tell of a file that is damaged. */
export function damaged(what: string): StoreFault {
  return {
    code: "store-corrupt",
    message: `the store is damaged, or is no store: ${what.replaceAll(/\s+/g, " ")}`,
    hint: "bring back a backup with: answerback restore FILE   (what is there is kept aside), or choose another folder",
  };
}

function corrupt(what: string): StoreError {
  const { code, message, hint } = damaged(what);
  return new StoreError(code, message, { hint });
}
