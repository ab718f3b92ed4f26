import { randomUUID } from "node:crypto";
import { StoreError } from "../errors.ts";
import { type StoreMigration, newerSchema, otherShape, WRITTEN_BY } from "../written-by.ts";
import type { PostgresDatabase, Statements } from "./database.ts";
import { SHAPES, STEPS } from "./schema-steps.ts";
import { shapeOf } from "./shape.ts";
import { getMeta } from "./tables/meta.ts";

/** The version of the tables that this code reads and writes. */
const SCHEMA_VERSION = STEPS.length;

/** Lanes are spread over so many partitions, in every store that is made: more workers than this are idle. */
const PARTITIONS = 64;

/** What is told of a store once it is ready. */
export interface PreparedStore {
  readonly partitions: number;
  /** Which store it is, the same for as long as it lives. */
  readonly id: string;
  /** Absent: the tables were new, or of this version already. */
  readonly migrated?: StoreMigration;
}

/**
 * Makes the tables, or brings them up, where that is to be done; else only looks.
 *
 * Several processes may do so at once: one of them does it, the others wait.
 *
 * @param readOnly Nothing is changed.
 * @throws {StoreError} `store-schema` for tables of a newer version, of an older one that may not be brought up, or that are
 *   not those of their version.
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
    throw newerSchema({ found: version, known: SCHEMA_VERSION }, writer, "name another database");
  }
  if (version < SCHEMA_VERSION) {
    throw new StoreError(
      "store-schema",
      version === 0
        ? "there is no store of Answerback in this database"
        : `the store has schema version ${version}, and is to be brought up to ${SCHEMA_VERSION} before it can be read`,
      { hint: "start the bot once: answerback run" },
    );
  }
  await checkShape(db, version);
  const rows = await db.query<{ name: string; value: string }>(
    "SELECT name, value FROM meta WHERE name IN ('store-id', 'partitions')",
  );
  const known = new Map(rows.map(({ name, value }) => [name, value]));
  return {
    id: known.get("store-id") ?? "",
    partitions: Number(known.get("partitions")),
    ...(migrated !== undefined && { migrated }),
  };
}

/** 0: there are no tables. */
async function versionOf(db: PostgresDatabase): Promise<number> {
  const [there] = await db.query<{ found: string | null }>(
    "SELECT to_regclass('schema_version')::text AS found",
  );
  if (there?.found == null) return 0;
  const [row] = await db.query<{ version: number }>("SELECT version FROM schema_version");
  return row?.version ?? 0;
}

/** @throws {StoreError} `store-schema` when the tables are not those that the version has. */
async function checkShape(db: Statements, version: number): Promise<void> {
  if ((await shapeOf(db)) === SHAPES[version]) return;
  throw otherShape(version, version === 0 ? undefined : await getMeta(db, WRITTEN_BY));
}

/** @returns Undefined for new tables, and where another process has brought them up meanwhile. */
async function migrate(db: PostgresDatabase): Promise<StoreMigration | undefined> {
  return db.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock($1)", [MIGRATING]);
    await tx.query("CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL)");
    const [row] = await tx.query<{ version: number }>("SELECT version FROM schema_version");
    const found = row?.version ?? 0;
    if (found >= SCHEMA_VERSION) return undefined;
    await checkShape(tx, found);
    for (const [done, step] of STEPS.slice(found).entries()) {
      await tx.query(step);
      await checkShape(tx, found + done + 1);
    }
    await tx.query(
      row === undefined
        ? "INSERT INTO schema_version (version) VALUES ($1)"
        : "UPDATE schema_version SET version = $1",
      [SCHEMA_VERSION],
    );
    if (found > 0) return { from: found, to: SCHEMA_VERSION };
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

/** The number of the lock that whoever makes the tables holds. */
const MIGRATING = 4_711_002_026;
