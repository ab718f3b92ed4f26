import { StoreError } from "../../errors.ts";
import type { Database } from "../binding.ts";

/**
 * Makes each commit wait until the disk has synced it. SQLite ignores unsupported pragmas, so the value is read back.
 *
 * @throws {StoreError} `store-io` if commits would not wait for the sync.
 */
export function syncEachCommit(db: Database): void {
  db.exec("PRAGMA synchronous = FULL");
  const level = db.prepare<{ synchronous: number }>("PRAGMA synchronous").get()?.synchronous;
  if (level === FULL) return;
  throw new StoreError(
    "store-io",
    `SQLite has synchronous = ${level} instead of ${FULL}, so a power cut could take acknowledged events`,
    { hint: "use a Node.js release with node:sqlite, such as 24" },
  );
}

/** Value of `synchronous` with which SQLite syncs the WAL at each commit. */
const FULL = 2;
