import { StoreError } from "../../errors.ts";
import type { Database } from "../binding.ts";

/**
 * Makes each commit wait for the device. SQLite ignores a pragma that it doesn't support, so its value is read back.
 *
 * @throws {StoreError} `store-io` if commits would not wait.
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

/** Level at which SQLite syncs the WAL at each commit. */
const FULL = 2;
