import type { AppendResult, Entry, NewEntry } from "../store.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Leases } from "./leases.ts";
import { ENTRY_COLUMNS, type EntryRow, toNewEntry } from "./rows.ts";

/** What came in: journal for the record, inbox for what is still to decide. */
export class Inbox {
  readonly #counters: Counters;
  readonly #leases: Leases;
  readonly #record;
  readonly #queue;
  readonly #waiting;
  readonly #page;
  readonly #read;

  constructor(db: Database, counters: Counters, leases: Leases) {
    this.#counters = counters;
    this.#leases = leases;
    // No INSERT OR IGNORE: it would call an entry with a missing field a duplicate.
    this.#record = db.prepare(
      `INSERT INTO journal (${ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key, account) DO NOTHING`,
    );
    this.#queue = db.prepare("INSERT INTO inbox (seq, lane) VALUES (?, ?)");
    this.#waiting = db.prepare<{ lane: string }>("SELECT lane FROM inbox WHERE retry_at > ?");
    this.#page = db.prepare<{ seq: number; lane: string; attempts: number }>(
      "SELECT seq, lane, attempts FROM inbox WHERE seq > ? ORDER BY seq LIMIT ?",
    );
    this.#read = db.prepare<EntryRow>(`SELECT ${ENTRY_COLUMNS} FROM journal WHERE seq = ?`);
  }

  readonly append: Operations["append"] = (entries) => entries.map((entry) => this.#add(entry));

  #add(entry: NewEntry): AppendResult {
    const seq = this.#counters.get("seq") + 1;
    const { key, account, lane, kind, at, arrivedAt, source, body } = entry;
    if (this.#record.run(seq, key, account, lane, kind, at, arrivedAt, source, body) === 0) {
      return "duplicate";
    }
    this.#queue.run(seq, lane);
    this.#counters.add("seq", 1);
    this.#counters.add("journal", 1);
    this.#counters.add("inbox", 1);
    return "new";
  }

  readonly fetch: Operations["fetch"] = (leases, now, limit, busy) => {
    const covered = this.#leases.covers(leases);
    const skipped = new Set(busy);
    for (const { lane } of this.#waiting.all(now)) skipped.add(lane);
    const perLane = new Map<string, number>();
    const found: Entry[] = [];
    let after = 0;
    for (;;) {
      const page = this.#page.all(after, PAGE);
      for (const { seq, lane, attempts } of page) {
        if (found.length >= limit) return found;
        const given = perLane.get(lane) ?? 0;
        if (given >= LANE_SHARE || skipped.has(lane) || !covered(lane)) continue;
        perLane.set(lane, given + 1);
        const row = this.#read.get(seq);
        if (row === undefined) continue;
        const partition = this.#leases.partitionOf(lane);
        found.push({ ...toNewEntry(row), seq, partition, attempts });
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return found;
      after = last.seq;
    }
  };
}

const PAGE = 256;

/** One fetch gives at most so many entries of a lane, so that a long lane leaves room for others. */
const LANE_SHARE = 32;
