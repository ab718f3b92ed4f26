import { StoreError } from "../errors.ts";
import type { Database } from "./binding.ts";

/**
 * The steps from an empty file to today's tables: step `n` leads from version `n` to `n + 1`.
 *
 * A step that has shipped is never changed; the next change is a new one at the end.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE counters (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;

  CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    account TEXT NOT NULL,
    lane TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    arrived_at INTEGER NOT NULL,
    source TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX journal_key ON journal (key, account);
  CREATE INDEX journal_place ON journal (seq, lane, account);

  CREATE TABLE inbox (
    seq INTEGER PRIMARY KEY,
    lane TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER
  );
  CREATE INDEX inbox_retry ON inbox (retry_at, lane) WHERE retry_at IS NOT NULL;

  CREATE TABLE decisions (
    seq INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    decided_at INTEGER NOT NULL,
    decision TEXT NOT NULL,
    runs TEXT NOT NULL
  );

  CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    account TEXT NOT NULL,
    lane TEXT NOT NULL,
    action TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL,
    expires_at INTEGER,
    started_at INTEGER,
    settled_at INTEGER,
    platform_id TEXT,
    reason TEXT
  );
  CREATE UNIQUE INDEX items_key ON items (key, account);
  CREATE INDEX items_seq ON items (seq);
  CREATE INDEX items_lane ON items (lane);
  CREATE INDEX items_status ON items (status);
  CREATE INDEX items_open ON items (lane, id) WHERE settled_at IS NULL;
  CREATE INDEX items_due ON items (not_before, id) WHERE status = 'pending';
  `,
];

/** The version of the tables that this code reads and writes. */
export const SCHEMA_VERSION = STEPS.length;

/**
 * Brings the tables up to {@link SCHEMA_VERSION}, each step in a transaction of its own.
 *
 * @throws {StoreError} `E_STORE_SCHEMA` when a newer version wrote the file.
 */
export function migrate(db: Database): void {
  const found =
    db.prepare<{ user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0;
  if (found > SCHEMA_VERSION) {
    throw new StoreError(
      "E_STORE_SCHEMA",
      `the store has schema version ${found}, and this version of Answerback reads up to ${SCHEMA_VERSION}`,
      { hint: "Run the newer version that wrote it, or choose another folder." },
    );
  }
  STEPS.slice(found).forEach((step, done) => {
    db.exec(`BEGIN IMMEDIATE; ${step} PRAGMA user_version = ${found + done + 1}; COMMIT`);
  });
}
