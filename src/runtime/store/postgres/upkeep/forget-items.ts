import { receiverIn } from "../../in-memory/answer-counts.ts";
import { countedAs, isSettled, type ItemStatus, type ItemTransition } from "../../item.ts";
import type { ForgetQuery } from "../../listings.ts";
import { ERASED } from "../../transition.ts";
import { countChanges } from "../counts.ts";
import type { Statements } from "../database.ts";
import { StatementValues } from "../params.ts";

/** Item that was sent, whose echo is to be recognized later. */
export interface SentItem {
  readonly account: string;
  readonly id: string;
  readonly at: number;
}

/** Changes items in a transaction that has locked all leases. */
export type ChangeItems = (tx: Statements, changes: readonly ItemTransition[]) => Promise<void>;

/** Entries of one piece of an erasure. */
export interface ErasedPiece {
  readonly person: ForgetQuery;
  /** The piece has the entries later than `after`, up to `end`. */
  readonly after: number;
  readonly end: number;
  /** Entries of the piece that are erased. */
  readonly seqs: readonly number[];
}

interface FoundRow {
  readonly id: number;
  readonly partition: number;
  readonly seq: number;
  readonly status: ItemStatus;
}

/**
 * Expires the unsettled items of erased entries, and those that other entries have queued to the person. So the next
 * items of their lanes become ready, and the waiting runs of other entries continue.
 *
 * @returns The ids of the items to the person that entries of other people have queued.
 */
export async function expireItems(
  tx: Statements,
  change: ChangeItems,
  { person, after, end, seqs }: ErasedPiece,
): Promise<readonly number[]> {
  const rows = await tx.query<FoundRow>(
    `SELECT i.id, i.partition, i.seq, coalesce(o.status, i.status) AS status
     FROM items AS i LEFT JOIN open_items AS o ON o.id = i.id
     WHERE i.seq > $1 AND i.seq <= $2 AND (i.lane = i.account || '/' || $3 OR strpos(i.action, $4) > 0
       OR (o.id IS NOT NULL AND i.seq = ANY ($5::bigint[])))`,
    [after, end, person.id, receiverIn(person.id), seqs],
  );
  const others = rows.filter(({ seq }) => !seqs.includes(seq));
  // The outcome of a request that is under way for another person's entry still has to be stored.
  const expired = rows.filter(
    (row) => !isSettled(row.status) && !(others.includes(row) && row.status === "sending"),
  );
  await change(
    tx,
    expired.map(({ id, partition, status: from }) => {
      return { id, partition, epoch: 0, from, to: "expired", at: person.now, reason: ERASED };
    }),
  );
  return others.map(({ id }) => id);
}

/**
 * Deletes the settled ones of these items, except those with which a run continues.
 *
 * @returns The number of deleted items, and those of them that were sent.
 */
export async function dropItems(
  tx: Statements,
  ids: readonly number[],
  writer: string,
): Promise<{ readonly items: number; readonly sent: readonly SentItem[] }> {
  const gone = await tx.query<{
    readonly account: string;
    readonly status: ItemStatus;
    readonly reason: string | null;
    readonly platform_id: string | null;
    readonly settled_at: number;
  }>(
    `WITH gone AS (
       DELETE FROM items AS i WHERE id = ANY ($1::bigint[]) AND settled_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM inputs AS n WHERE n.item = i.id)
       RETURNING id, account, status, reason, platform_id, settled_at),
       given_up AS (DELETE FROM given_up AS u USING gone WHERE u.id = gone.id)
     SELECT * FROM gone`,
    [ids],
  );
  if (gone.length === 0) return { items: 0, sent: [] };
  const deltas: Record<`item.${string}`, number> = {};
  for (const item of gone) {
    const name = `item.${countedAs(item)}` as const;
    deltas[name] = (deltas[name] ?? 0) - 1;
  }
  const params = new StatementValues();
  await tx.query(countChanges(params, writer, deltas), params.values);
  const sent = gone.flatMap(({ account, platform_id: id, settled_at: at }) =>
    id === null ? [] : { account, id, at },
  );
  return { items: gone.length, sent };
}
