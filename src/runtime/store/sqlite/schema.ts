import { newerSchema, otherShape, WRITTEN_BY } from "../written-by.ts";
import type { Database } from "./binding.ts";
import { shapeOf } from "./file/shape.ts";
import { SHAPES, STEPS } from "./schema-steps.ts";

/** The version of the tables that this code reads and writes. */
export const SCHEMA_VERSION = STEPS.length;

/**
 * The version of a file's tables; 0 for a file that has none yet.
 *
 * @throws {StoreError} `store-schema` when a newer version wrote the file.
 */
export function versionOf(db: Database): number {
  const found =
    db.prepare<{ user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0;
  if (found > SCHEMA_VERSION) {
    throw newerSchema({ found, known: SCHEMA_VERSION }, writerOf(db), "choose another folder");
  }
  return found;
}

/** Whether a file of this version has to be brought up. */
export function isOlder(version: number): boolean {
  return version > 0 && version < SCHEMA_VERSION;
}

/**
 * Looks whether the tables of a file are those that its version has.
 *
 * @param except Tables that do not count.
 * @throws {StoreError} `store-schema` when they are not: a version that was never released wrote them, or another program.
 */
export function checkShape(db: Database, version: number, except: readonly string[] = []): void {
  if (shapeOf(db, except) === SHAPES[version]) return;
  throw otherShape(version, writerOf(db));
}

/** Version of Answerback that wrote the file last; undefined where it names none. */
function writerOf(db: Database): string | undefined {
  const meta = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'meta' AND type = 'table'");
  if (meta.get() === undefined) return undefined;
  return db.prepare<{ value: string }>("SELECT value FROM meta WHERE name = ?").get(WRITTEN_BY)
    ?.value;
}

/**
 * Brings the tables up to a version, each step in a transaction of its own, and looks at them after each.
 *
 * @param to The newest version unless said; an older one makes the tables as they were then.
 * @throws {StoreError} `store-schema` when a step made other tables than its version has.
 */
export function migrate(db: Database, to = SCHEMA_VERSION): void {
  const found = versionOf(db);
  for (const [done, step] of STEPS.slice(found, to).entries()) {
    const version = found + done + 1;
    db.exec(`BEGIN IMMEDIATE; ${step} PRAGMA user_version = ${version}; COMMIT`);
    checkShape(db, version);
  }
}
