import { countedStats, type JournalQuery, type JournalRow, type StoreStats } from "../listings.ts";
import type { Database } from "./binding.ts";
import type { JournalSlice, Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Escalations } from "./escalations.ts";
import type { Leases } from "./leases.ts";
import { listed } from "../tables/columns.ts";
import { DECIDED, type DecidedRow, type EntryRow, toDecided, toEntry } from "../tables/rows.ts";
import { JOURNAL } from "../tables/tables.ts";
import { COUNTED_AS } from "./recount.ts";
import { RUN_OF_WORK, type Runs } from "./runs.ts";
import { Select } from "./select.ts";
import type { WaitingInputs } from "./waiting/waiting-inputs.ts";

interface Recorded extends EntryRow, DecidedRow {
  readonly open_attempts: number | null;
}

/** Dependencies of {@link JournalTable}. */
interface JournalParts {
  readonly counters: Counters;
  readonly leases: Leases;
  readonly runs: Runs;
  readonly waiting: Pick<WaitingInputs, "aside">;
  readonly escalations: Escalations;
}

/** Table of entries and their decisions. Deletes old entries after the retention time. */
export class JournalTable {
  readonly #parts: JournalParts;
  readonly #list;
  readonly #oldest;
  readonly #first;
  readonly #places;
  readonly #slice;
  readonly #drops;
  readonly #itemsOf;
  readonly #dropState;
  readonly #oldSource;
  readonly #dropSources;

  constructor(db: Database, parts: JournalParts) {
    this.#parts = parts;
    this.#list = new Select<Recorded>(db);
    this.#oldest = db.prepare<{ arrived_at: number }>(
      "SELECT arrived_at FROM journal WHERE seq = (SELECT id FROM work WHERE kind = 'input' AND item IS NULL ORDER BY id LIMIT 1)",
    );
    this.#first = db.prepare<{ seq: number | null }>("SELECT min(seq) AS seq FROM journal");
    this.#places = db.prepare<{ seq: number }>(
      `SELECT seq FROM journal WHERE seq >= ? AND seq < ? AND lane = coalesce(?, lane) AND account = coalesce(?, account)
       ORDER BY seq DESC LIMIT ?`,
    );
    this.#slice = db.prepare<{ seq: number; arrived_at: number; open: number }>(
      `SELECT seq, arrived_at, ${IS_OPEN} AS open FROM journal AS j WHERE seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#itemsOf = db.prepare<{ counted: string; n: number }>(
      `SELECT ${COUNTED_AS} AS counted, count(*) AS n FROM items WHERE seq = ? GROUP BY counted`,
    );
    this.#dropState = db.prepare(
      `DELETE FROM state WHERE key IN
         (SELECT key FROM state WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    );
    this.#oldSource = db.prepare("SELECT revision FROM rule_sources WHERE saved_at < ? LIMIT 1");
    this.#dropSources = db.prepare(
      `DELETE FROM rule_sources WHERE saved_at < ? AND revision NOT IN
         (SELECT r.revision FROM work AS w CROSS JOIN runs AS r ON ${RUN_OF_WORK} WHERE w.kind = 'run')`,
    );
    this.#drops = ["items", "runs", "decisions", "journal"].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE seq = ?`),
    );
  }

  readonly journal: Operations["journal"] = (query) => {
    const { seq, key, lane, account, before, bare = false, limit } = query;
    const sharp = seq !== undefined || key !== undefined;
    if (!sharp && (lane !== undefined || account !== undefined)) return this.#look(query);
    const rows = this.#list.newest(bare ? BARE : RECORDED, "j.seq", limit, [
      ["j.seq = ?", seq],
      ["j.key = ?", key],
      ["j.lane = ?", lane],
      ["j.account = ?", account],
      ["j.seq < ?", before],
    ]);
    return { rows: rows.map((row) => this.#row(row, bare)), next: undefined };
  };

  /**
   * Searches a range of the journal for a lane or an account.
   *
   * An index by lane would find the entries at once, but would add a page write to every append, and appends are most
   * of the store's work. Scanning one range takes a few milliseconds.
   */
  #look({ lane, account, before, bare = false, limit }: JournalQuery): JournalSlice {
    const end = before ?? this.#parts.counters.get("seq") + 1;
    const start = end - STRETCH;
    const places = this.#places.all(start, end, lane ?? null, account ?? null, limit);
    const rows = places.flatMap(({ seq }) =>
      this.#list.newest(bare ? BARE : RECORDED, "j.seq", 1, [["j.seq = ?", seq]]),
    );
    const first = this.#first.get()?.seq ?? null;
    const more = first !== null && first < start;
    return { rows: rows.map((row) => this.#row(row, bare)), next: more ? start : undefined };
  }

  #row(row: Recorded, bare = false): JournalRow {
    return {
      ...toEntry(row, this.#parts.leases.partitionOf(row.lane)),
      ...toDecided(row, row.open_attempts),
      runs: bare ? [] : this.#parts.runs.ofEntry(row.seq),
    };
  }

  readonly stats = (): StoreStats => {
    const oldest = this.#oldest.get();
    const n = (name: string): number => this.#parts.counters.get(name);
    return {
      ...countedStats(n),
      paused: this.#parts.waiting.aside,
      escalations: this.#parts.escalations.openByQueue(),
      ...(oldest !== undefined && { oldestArrivedAt: oldest.arrived_at }),
    };
  };

  /**
   * Prunes one piece. Arrival times rise with `seq`, except after a clock was set back, so the first piece without old
   * entries is the last one.
   */
  readonly prune: Operations["prune"] = ({ before, now, after }) => {
    const forgotten = this.#dropState.run(now, SLICE);
    // A million runs may be open, so their revisions are read only if some rule source is old enough to be deleted.
    if (after === 0 && this.#oldSource.get(before) !== undefined) this.#dropSources.run(before);
    const rows = this.#slice.all(after, SLICE);
    const old = rows.filter((row) => row.arrived_at < before);
    const gone = old.filter((row) => row.open === 0);
    for (const { seq } of gone) this.drop(seq);
    this.#parts.counters.add("journal", -gone.length);
    if (gone.length > 0) this.#parts.counters.save();
    const last = rows.at(-1);
    if (last !== undefined && rows.length === SLICE && old.length > 0) {
      return { dropped: gone.length, next: last.seq };
    }
    return { dropped: gone.length, next: forgotten === SLICE ? (last?.seq ?? after) : undefined };
  };

  /**
   * Deletes an entry with its decision, runs and items. The caller updates the number of entries.
   *
   * @returns The number of deleted items.
   */
  drop(seq: number): number {
    let items = 0;
    for (const { counted, n } of this.#itemsOf.all(seq)) {
      this.#parts.counters.add(`item.${counted}`, -n);
      this.#parts.counters.add("items", -n);
      items += n;
    }
    for (const drop of this.#drops) drop.run(seq);
    return items;
  }
}

/** SQL condition that the entry `j` is open: it has a waiting input, an unsettled item or an open run. */
export const IS_OPEN = `(EXISTS (SELECT 1 FROM work AS i WHERE i.kind = 'input' AND i.id = j.seq)
  OR EXISTS (SELECT 1 FROM items AS o WHERE o.seq = j.seq AND o.settled_at IS NULL)
  OR EXISTS (SELECT 1 FROM runs AS r WHERE r.seq = j.seq AND r.status IN ('ready', 'waiting')))`;

const RECORDED = `
  SELECT ${listed(JOURNAL, "j")}, i.attempts AS open_attempts, ${listed(DECIDED, "d")}
  FROM journal AS j LEFT JOIN work AS i ON i.kind = 'input' AND i.id = j.seq LEFT JOIN decisions AS d ON d.seq = j.seq`;

const BARE = `
  SELECT ${listed(JOURNAL, "j")}, NULL AS open_attempts, ${DECIDED.names.map((name) => `NULL AS ${name}`).join(", ")}
  FROM journal AS j`;

/** Number of `seq` values that one search for a lane or an account scans. */
const STRETCH = 2_000;

/** Number of entries that one piece of a prune processes. Small enough that an append is not noticeably delayed. */
const SLICE = 200;
