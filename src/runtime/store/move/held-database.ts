import { RESTORED_FROM } from "../restored.ts";
import { StoreError } from "../errors.ts";
import { movedError, MOVED_TO } from "../moved.ts";
import { PostgresDatabase, type Statements } from "../postgres/database.ts";
import { getMeta } from "../postgres/tables/meta.ts";
import { WRITTEN_BY } from "../written-by.ts";
import { notTakenUp } from "./held-folder.ts";

/** Connects with a long statement timeout, because one transaction may copy a whole store. */
export function connectToMove(url: string): PostgresDatabase {
  return new PostgresDatabase(url, {
    pool: 2,
    statementTimeoutMs: LONGEST_MS,
    name: "answerback move",
  });
}

/**
 * Locks all other processes out of the store until the transaction ends.
 *
 * @param place The store, as users write it.
 * @throws {StoreError} `store-locked` if a process uses the store or it was restored and not started yet, `store-moved`
 *   if it was moved to another place.
 */
export async function holdDatabase(tx: Statements, place: string): Promise<void> {
  await tx.query("SET LOCAL idle_in_transaction_session_timeout = 0");
  await tx.query("SET LOCAL lock_timeout = '10s'");
  // A move reads whole tables, so sequential scans and hash joins are allowed here.
  for (const way of ["seqscan", "hashjoin", "mergejoin", "bitmapscan"]) {
    await tx.query(`SET LOCAL enable_${way} = on`);
  }
  // A process that opens the store reads `meta` first, and therefore waits.
  await tx.query("LOCK TABLE meta IN ACCESS EXCLUSIVE MODE");
  await tx.query(`LOCK TABLE ${TABLES.join(", ")} IN EXCLUSIVE MODE`);
  const present = await tx.query<{ name: string }>(
    `SELECT process AS name FROM presences WHERE until > clock_timestamp()
     UNION SELECT split_part(worker, '@', 1) FROM workers WHERE until > clock_timestamp()
     UNION SELECT split_part(worker, '@', 1) FROM leases WHERE worker IS NOT NULL AND until > clock_timestamp() ORDER BY 1`,
  );
  if (present.length > 0) {
    const names = present.map(({ name }) => name).join(", ");
    throw new StoreError("store-locked", `${place} is in use: ${names}`, {
      hint: "stop every receiver and worker first; one that was killed counts as gone after 15 seconds",
    });
  }
  const to = await getMeta(tx, MOVED_TO);
  if (to !== undefined) throw movedError(place, to);
  if ((await getMeta(tx, RESTORED_FROM)) !== undefined) throw notTakenUp(place);
}

/**
 * Refuses a target that already contains data.
 *
 * @param place The target, as users write it.
 * @param id Id of the store that is to be moved to the target.
 * @throws {StoreError} `store-locked` if the database is not empty.
 */
export async function refuseFull(tx: Statements, place: string, id: string): Promise<void> {
  const here = await getMeta(tx, "store-id");
  const [row] = await tx.query<{ has_rows: boolean }>(
    `SELECT ${KEEPING.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(" OR ")}
       OR EXISTS (SELECT 1 FROM meta WHERE name NOT IN ('store-id', 'partitions', 'accounts-key', 'accounts-version', '${WRITTEN_BY}')) AS has_rows`,
  );
  if (row?.has_rows !== true) return;
  if (here === id) {
    throw new StoreError("store-locked", `${place} already contains this store`, {
      hint: `an earlier move has finished: set store: to ${place}, and start the bot`,
    });
  }
  throw new StoreError("store-locked", `${place} is not empty: a bot has used it`, {
    hint: "name an empty database, created with: createdb NAME",
  });
}

const KEEPING = [
  "journal",
  "inputs",
  "decisions",
  "runs",
  "timers",
  "rule_sources",
  "state",
  "items",
  "coverage",
  "pauses",
  "forgotten",
  "escalations",
];
const TABLES = [...KEEPING, "open_items", "given_up", "counts", "workers", "presences", "leases"];
const LONGEST_MS = 6 * 3_600_000;
