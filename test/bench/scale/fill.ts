import { FIRST_ACCOUNT } from "./accounts.ts";
import { FIRST_PERSON } from "./load.ts";
import type { ServerCounters } from "./server-counters.ts";

/** Size to which a store is filled. */
export interface Fill {
  readonly events: number;
  readonly lanes: number;
  readonly accounts: number;
}

/** Number of events that are copied in one transaction. */
const PIECE = 250_000;

/**
 * Fills a store that has answered an event: copies the latest answered event, with all its rows, into many lanes
 * (conversations). During the copy, no process may have work in progress.
 */
export async function fill(
  { query }: Pick<ServerCounters, "query">,
  { events, lanes, accounts }: Fill,
): Promise<void> {
  await query(`
    CREATE TEMP TABLE template AS
      SELECT j.seq, j.kind, j.at, j.arrived_at, j.source, j.body, r.owner, i.id
      FROM items AS i JOIN journal AS j USING (seq) JOIN runs AS r USING (seq)
      ORDER BY i.id DESC LIMIT 1`);
  for (let from = 0; from < events; from += PIECE) {
    const to = Math.min(events, from + PIECE) - 1;
    await query(`
      CREATE TEMP TABLE copied AS
        SELECT nextval('input_seq') AS seq, nextval('item_id') AS id, n % 64 AS partition, 'filled:' || n AS key,
          (${FIRST_ACCOUNT} + n % ${lanes} % ${accounts})::text AS account,
          (${FIRST_ACCOUNT} + n % ${lanes} % ${accounts}) || '/' || (${FIRST_PERSON} + n % ${lanes}) AS lane
        FROM generate_series(${from}, ${to}) AS n;
      INSERT INTO journal (seq, partition, key, account, lane, kind, at, arrived_at, source, body)
        SELECT c.seq, c.partition, c.key, c.account, c.lane, t.kind, t.at, t.arrived_at, t.source, t.body
        FROM copied AS c, template AS t ORDER BY c.seq;
      INSERT INTO decisions (seq, state, attempts, decided_at, decision)
        SELECT c.seq, d.state, d.attempts, d.decided_at, d.decision
        FROM copied AS c, template AS t JOIN decisions AS d ON d.seq = t.seq ORDER BY c.seq;
      INSERT INTO runs (seq, owner, partition, account, lane, revision, status, version, body, listens, queues)
        SELECT c.seq, r.owner, c.partition, c.account, c.lane, r.revision, r.status, r.version, r.body, 0, 0
        FROM copied AS c, template AS t JOIN runs AS r ON r.seq = t.seq ORDER BY c.seq;
      INSERT INTO items (id, key, run, seq, account, lane, partition, action, priority, counted_at, heard, status, attempts,
          not_before, expires_at, started_at, settled_at, platform_id)
        SELECT c.id, c.key, c.seq || '/' || t.owner, c.seq, c.account, c.lane, c.partition, i.action, i.priority,
          i.counted_at, i.heard, i.status, i.attempts, i.not_before, i.expires_at, i.started_at, i.settled_at, c.id::text
        FROM copied AS c, template AS t JOIN items AS i ON i.id = t.id ORDER BY c.seq;
      DROP TABLE copied`);
  }
  await query("VACUUM ANALYZE");
  await query("CHECKPOINT");
}
