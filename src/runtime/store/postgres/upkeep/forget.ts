import { randomUUID } from "node:crypto";
import { echoKeys, forgottenHash } from "../../forgetting/forgotten-hash.ts";
import type { NewEntry } from "../../entry.ts";
import type { Forgotten, ForgetQuery, MarkedEntries } from "../../listings.ts";
import { markText, withoutMarked } from "../../forgetting/marked-entries.ts";
import type { EntryRow } from "../../tables/rows.ts";
import { countChanges } from "../counts.ts";
import type { PostgresDatabase, Statements } from "../database.ts";
import { StatementValues } from "../params.ts";
import { setMeta } from "../tables/meta.ts";
import { type ChangeItems, dropItems, expireItems, type SentItem } from "./forget-items.ts";
import { dropEntries, IS_OPEN } from "./prune.ts";

/** Dependencies of {@link forget}. */
export interface ForgetParts {
  readonly db: PostgresDatabase;
  /** Store id: the key (salt) of the hashes that replace the event keys of forgotten people. */
  readonly secret: string;
  /** Name under which this process stores its row counters in the table `counts`. */
  readonly writer: string;
  readonly changeItems: ChangeItems;
}

type NamedEntry = Pick<EntryRow, "seq" | "key" | "account" | "lane" | "arrived_at"> & {
  readonly open: boolean;
};

/** Name in the table `meta` of a random value, which changes with each removal: processes then empty their caches. */
export const FORGETTING = "forgetting";

/** Removes all data of one person from the tables in pieces, including pending work. */
export async function forget(parts: ForgetParts, person: ForgetQuery): Promise<Forgotten> {
  const { db } = parts;
  const [last] = await db.query<{ seq: number | null }>("SELECT max(seq) AS seq FROM journal");
  // State goes first: after a crash, the person's handle is still found in the entries.
  const sum = { entries: 0, items: 0, state: await forgetState(db, person), left: 0 };
  // An escalation may still be open although the entry that caused it was pruned.
  await db.query(
    `DELETE FROM escalations AS e WHERE lane = account || '/' || $1
       OR (lower(username) = lower($2) AND NOT EXISTS (SELECT 1 FROM journal AS j WHERE j.seq = e.seq))`,
    [person.id, person.username ?? null],
  );
  for (let after = 0; after < (last?.seq ?? 0); after += STRETCH) {
    const slice = await forgetStretch(parts, person, after);
    sum.entries += slice.entries;
    sum.items += slice.items;
    sum.left += slice.left;
  }
  // Work of the entries may have written state until they were removed.
  sum.state += await forgetState(db, person);
  return sum;
}

/** Whether an event belongs to a forgotten person; see {@link Store.isForgotten}. */
export async function isForgotten(
  { db, secret }: { readonly db: Statements; readonly secret: string },
  { key, account }: Pick<NewEntry, "key" | "account">,
): Promise<boolean> {
  const hash = forgottenHash(secret, key, account);
  const rows = await db.query("SELECT 1 FROM forgotten WHERE hash = $1", [hash]);
  return rows.length > 0;
}

async function forgetState(db: PostgresDatabase, { id, marked }: ForgetQuery): Promise<number> {
  const rows = await db.query(
    "DELETE FROM state WHERE right(key, length($1) + 1) = '/' || $1 OR strpos(key, '/' || $1 || '/') > 0 RETURNING 1",
    [id],
  );
  if (marked !== undefined) await leaveOut(db, marked);
  return rows.length;
}

/** Erases a person's entries from values of user state that contain entries of many people. */
async function leaveOut(db: PostgresDatabase, { prefix, mark }: MarkedEntries): Promise<void> {
  const text = markText(mark);
  const keys = await db.query<{ key: string }>(
    "SELECT key FROM state WHERE starts_with(key, $1) AND strpos(value, $2) > 0",
    [prefix, text],
  );
  for (const { key } of keys) {
    await db.transaction(async (tx) => {
      const [row] = await tx.query<{ value: string }>(
        "SELECT value FROM state WHERE key = $1 AND strpos(value, $2) > 0 FOR UPDATE",
        [key, text],
      );
      if (row === undefined) return;
      await tx.query(
        "UPDATE state SET value = $2, version = nextval('state_version') WHERE key = $1",
        [key, withoutMarked(row.value, mark)],
      );
    });
  }
}

async function forgetStretch(
  { db, secret, writer, changeItems }: ForgetParts,
  person: ForgetQuery,
  after: number,
): Promise<Pick<Forgotten, "entries" | "items" | "left">> {
  return db.transaction(async (tx) => {
    // This lock stops all decisions and sends until the commit, because a run whose entry is gone must not continue.
    await tx.query("SELECT 1 FROM leases ORDER BY partition FOR UPDATE");
    const end = after + STRETCH;
    const named = await tx.query<NamedEntry>(
      `SELECT j.seq, j.key, j.account, j.lane, j.arrived_at, ${IS_OPEN} AS open FROM journal AS j
       WHERE j.seq > $1 AND j.seq <= $2 AND (j.lane = j.account || '/' || $3 OR strpos(j.body, $4) > 0)`,
      [after, end, person.id, `"${person.id}"`],
    );
    // Other people's entries that are still open stay, because these people wait for answers.
    const gone = named.filter(
      (entry) => !entry.open || entry.lane === `${entry.account}/${person.id}`,
    );
    const seqs = gone.map(({ seq }) => seq);
    if (seqs.length > 0) await endOpen(tx, seqs, { now: person.now, writer });
    const addressed = await expireItems(tx, changeItems, { person, after, end, seqs });
    const others = await dropItems(tx, addressed, writer);
    const rest = { left: named.length - gone.length + addressed.length - others.items };
    if (seqs.length + others.items === 0) return { entries: 0, items: 0, ...rest };
    await tx.query("DELETE FROM escalations WHERE seq = ANY ($1::bigint[])", [seqs]);
    const sent = await tx.query<SentItem>(
      "SELECT account, platform_id AS id, settled_at AS at FROM items WHERE seq = ANY ($1::bigint[]) AND platform_id IS NOT NULL AND settled_at IS NOT NULL",
      [seqs],
    );
    await addHashes(tx, secret, [
      ...gone.map(({ key, account, arrived_at: at }) => ({ key, account, at })),
      ...[...sent, ...others.sent].flatMap(({ account, id, at }) =>
        echoKeys(id).map((key) => ({ key, account, at })),
      ),
    ]);
    const items = (await dropEntries(tx, seqs, writer)) + others.items;
    await setMeta(tx, FORGETTING, randomUUID());
    return { entries: gone.length, items, ...rest };
  });
}

/** Stores hashes of event keys, by which later deliveries of the events are recognized. */
async function addHashes(
  tx: Statements,
  secret: string,
  events: readonly { readonly key: string; readonly account: string; readonly at: number }[],
): Promise<void> {
  const hashes = events.map(({ key, account, at }) => ({
    hash: forgottenHash(secret, key, account),
    at,
  }));
  const params = new StatementValues();
  await tx.query(
    `INSERT INTO forgotten (hash, at) SELECT hash, at FROM ${params.table("g", { hash: "text", at: "bigint" }, hashes)}
     ON CONFLICT DO NOTHING`,
    params.values,
  );
}

/** Ends pending work of entries. The next run in the queue of each freed slot gets its turn. */
async function endOpen(
  tx: Statements,
  seqs: readonly number[],
  { now, writer }: { readonly now: number; readonly writer: string },
): Promise<void> {
  const inputs = await tx.query(
    `DELETE FROM inputs WHERE (item IS NULL AND seq = ANY ($1::bigint[]))
       OR item IN (SELECT id FROM items WHERE seq = ANY ($1::bigint[])) RETURNING seq`,
    [seqs],
  );
  const runs = await tx.query<{ status: "ready" | "waiting"; slot: string | null }>(
    `SELECT status, slot FROM runs WHERE seq = ANY ($1::bigint[]) AND status IN ('ready', 'waiting')`,
    [seqs],
  );
  await tx.query("DELETE FROM timers WHERE split_part(run, '/', 1)::bigint = ANY ($1::bigint[])", [
    seqs,
  ]);
  await tx.query(
    "UPDATE runs SET status = 'stopped' WHERE seq = ANY ($1::bigint[]) AND status IN ('ready', 'waiting')",
    [seqs],
  );
  for (const slot of new Set(runs.flatMap((run) => run.slot ?? []))) {
    await tx.query(WAKE_NEXT, [slot, now]);
  }
  const params = new StatementValues();
  const ended = (status: string): number => -runs.filter((run) => run.status === status).length;
  const deltas = {
    inbox: -inputs.length,
    "run.ready": ended("ready"),
    "run.waiting": ended("waiting"),
  } as const;
  await tx.query(countChanges(params, writer, deltas), params.values);
}

const WAKE_NEXT = `
  UPDATE timers SET due_at = $2 WHERE id = (
    SELECT t.id FROM runs AS r JOIN timers AS t ON t.id = r.waits_for
    WHERE r.slot = $1 AND r.slot IS NOT NULL AND r.status IN ('ready', 'waiting') AND r.queues = 1 AND t.due_at > $2
    ORDER BY r.ordinal LIMIT 1)`;

/** Number of entries that one piece scans, which takes some milliseconds. */
const STRETCH = 5_000;
