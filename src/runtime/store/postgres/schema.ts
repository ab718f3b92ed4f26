import { randomUUID } from "node:crypto";
import {
  type StoreMigration,
  newerSchema,
  olderSchema,
  otherShape,
  WRITTEN_BY,
} from "../written-by.ts";
import type { PostgresDatabase, Statements } from "./database.ts";
import { isLockTimeout } from "./faults.ts";
import { SHAPES, STEPS } from "./schema-steps.ts";
import { shapeOf } from "./shape.ts";
import { getMeta } from "./tables/meta.ts";

/** Schema version that this code reads and writes. */
const SCHEMA_VERSION = STEPS.length;

/** Number of partitions over which the lanes of a new store are spread. Workers above this number stay idle. */
const PARTITIONS = 64;

/** Data about an opened store whose tables have the current schema version. */
export interface PreparedStore {
  readonly partitions: number;
  /** Store id, which never changes. */
  readonly id: string;
  /** Migration of the tables; absent if the tables were new or already had the current version. */
  readonly migrated?: StoreMigration;
}

/**
 * Creates or migrates the tables if necessary, and checks them.
 *
 * Several processes may call this function at once: one process migrates, the others wait.
 *
 * @param readOnly Whether the tables are only checked.
 * @throws {StoreError} `store-schema` if the tables have a newer version or don't match their schema version, `store-old`
 *   if `readOnly` is set and they have an older version or do not exist.
 */
export async function prepareStore(
  db: PostgresDatabase,
  readOnly: boolean,
): Promise<PreparedStore> {
  let version = await versionOf(db);
  let migrated: StoreMigration | undefined;
  if (version < SCHEMA_VERSION && !readOnly) {
    migrated = await migrate(db);
    version = await versionOf(db);
  }
  if (version > SCHEMA_VERSION) {
    const writer = await getMeta(db, WRITTEN_BY);
    throw newerSchema({ stored: version, ours: SCHEMA_VERSION }, writer, "name another database");
  }
  if (version < SCHEMA_VERSION) {
    throw olderSchema({ stored: version, ours: SCHEMA_VERSION }, "it can be read");
  }
  await checkShape(db, version);
  const rows = await db.query<{ name: string; value: string }>(
    "SELECT name, value FROM meta WHERE name IN ('store-id', 'partitions')",
  );
  const metas = new Map(rows.map(({ name, value }) => [name, value]));
  return {
    id: metas.get("store-id") ?? "",
    partitions: Number(metas.get("partitions")),
    ...(migrated !== undefined && { migrated }),
  };
}

/** Returns the schema version; 0 if there are no tables. */
async function versionOf(db: PostgresDatabase): Promise<number> {
  const [there] = await db.query<{ table_name: string | null }>(
    "SELECT to_regclass('schema_version')::text AS table_name",
  );
  if (there?.table_name == null) return 0;
  const [row] = await db.query<{ version: number }>("SELECT version FROM schema_version");
  return row?.version ?? 0;
}

/** Checks the tables against a schema version. @throws {StoreError} `store-schema` if they don't match. */
async function checkShape(db: Statements, version: number): Promise<void> {
  if ((await shapeOf(db)) === SHAPES[version]) return;
  throw otherShape(version, version === 0 ? undefined : await getMeta(db, WRITTEN_BY));
}

/**
 * Creates or migrates the tables. Returns undefined if the tables were new, or another process had migrated them.
 *
 * A migration needs each table for itself, and may have to wait for a long transaction. Meanwhile all statements of the
 * other processes wait behind the migration. So it waits for {@link LOCK_WAIT_MS} only, and tries again later.
 */
async function migrate(db: PostgresDatabase): Promise<StoreMigration | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(db);
    } catch (error) {
      if (!isLockTimeout(error) || tries === MAX_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function migrateOnce(db: PostgresDatabase): Promise<StoreMigration | undefined> {
  return db.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock($1)", [MIGRATING]);
    await tx.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    await tx.query("CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL)");
    const [row] = await tx.query<{ version: number }>("SELECT version FROM schema_version");
    const current = row?.version ?? 0;
    if (current >= SCHEMA_VERSION) return undefined;
    await checkShape(tx, current);
    for (const [done, step] of STEPS.slice(current).entries()) {
      await tx.query(step);
      await checkShape(tx, current + done + 1);
    }
    // A database that publishes all tables refuses updates of a table without a key or replica identity.
    await tx.query("ALTER TABLE schema_version REPLICA IDENTITY FULL");
    await tx.query(
      row === undefined
        ? "INSERT INTO schema_version (version) VALUES ($1)"
        : "UPDATE schema_version SET version = $1",
      [SCHEMA_VERSION],
    );
    if (current > 0) return { from: current, to: SCHEMA_VERSION };
    await tx.query("INSERT INTO meta (name, value) VALUES ('store-id', $1), ('partitions', $2)", [
      randomUUID(),
      String(PARTITIONS),
    ]);
    await tx.query(
      "INSERT INTO leases (partition) SELECT p FROM generate_series(0, $1::int - 1) AS p",
      [PARTITIONS],
    );
    return undefined;
  });
}

/** Milliseconds for which a migration waits for a table. */
const LOCK_WAIT_MS = 500;
/** Milliseconds between two attempts to migrate, in which the other processes go on. */
const RETRY_MS = 1_000;
const MAX_TRIES = 40;
/** Key of the advisory lock that a migrating process holds. */
const MIGRATING = 4_711_002_026;
