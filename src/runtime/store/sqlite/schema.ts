import { newerSchema, otherShape, WRITTEN_BY } from "../written-by.ts";
import type { Database } from "./binding.ts";
import { shapeOf } from "./file/shape.ts";
import { SHAPES, STEPS } from "./schema-steps.ts";

/** Schema version that this code reads and writes. */
export const SCHEMA_VERSION = STEPS.length;

/**
 * Returns the schema version of a file; 0 for a file without tables.
 *
 * @throws {StoreError} `store-schema` if a newer version wrote the file.
 */
export function versionOf(db: Database): number {
  const stored =
    db.prepare<{ user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0;
  if (stored > SCHEMA_VERSION) {
    throw newerSchema({ stored, ours: SCHEMA_VERSION }, writerOf(db), "choose another folder");
  }
  return stored;
}

/** Whether a file of this version has to be migrated. */
export function isOlder(version: number): boolean {
  return version > 0 && version < SCHEMA_VERSION;
}

/**
 * Checks that the tables of a file match its schema version.
 *
 * @param except Tables to ignore.
 * @throws {StoreError} `store-schema` if they don't match: an unreleased version or another program created them.
 */
export function checkShape(db: Database, version: number, except: readonly string[] = []): void {
  if (shapeOf(db, except) === SHAPES[version]) return;
  throw otherShape(version, writerOf(db));
}

/** Returns the version of Answerback that wrote the file last; undefined if the file does not state a version. */
function writerOf(db: Database): string | undefined {
  const meta = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'meta' AND type = 'table'");
  if (meta.get() === undefined) return undefined;
  return db.prepare<{ value: string }>("SELECT value FROM meta WHERE name = ?").get(WRITTEN_BY)
    ?.value;
}

/**
 * Migrates the tables. Runs each step in a separate transaction, and checks the tables after each step.
 *
 * @param to Schema version to migrate to. Default: the newest version.
 * @throws {StoreError} `store-schema` if the tables don't match the schema version after a step.
 */
export function migrate(db: Database, to = SCHEMA_VERSION): void {
  const current = versionOf(db);
  for (const [done, step] of STEPS.slice(current, to).entries()) {
    const version = current + done + 1;
    db.exec(`BEGIN IMMEDIATE; ${step} PRAGMA user_version = ${version}; COMMIT`);
    checkShape(db, version);
  }
}
