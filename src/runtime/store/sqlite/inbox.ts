import type { AppendResult, NewEntry } from "../entry.ts";
import type { LaneInput } from "../transition.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Leases } from "./leases.ts";
import {
  ENTRY_COLUMNS,
  type EntryRow,
  ITEM_COLUMNS,
  type ItemRow,
  toEntry,
  toItem,
} from "./rows.ts";
import type { Runs } from "./runs.ts";

interface InboxRow {
  readonly seq: number;
  readonly lane: string;
  readonly attempts: number;
  readonly item: number | null;
}

/** What came in: the journal for the record, the inbox for what lanes still have to take in. */
export class Inbox {
  readonly #counters: Counters;
  readonly #leases: Leases;
  readonly #runs: Runs;
  readonly #record;
  readonly #known;
  readonly #queue;
  readonly #waiting;
  readonly #page;
  readonly #entry;
  readonly #item;

  constructor(db: Database, counters: Counters, leases: Leases, runs: Runs) {
    this.#counters = counters;
    this.#leases = leases;
    this.#runs = runs;
    // No INSERT OR IGNORE: it would call an entry with a missing field a duplicate.
    this.#record = db.prepare(
      `INSERT INTO journal (${ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key, account) DO NOTHING`,
    );
    this.#known = db.prepare<{ seq: number }>(
      "SELECT seq FROM journal WHERE key = ? AND account = ?",
    );
    this.#queue = db.prepare("INSERT INTO inbox (seq, lane, item) VALUES (?, ?, ?)");
    this.#waiting = db.prepare<{ lane: string }>("SELECT lane FROM inbox WHERE retry_at > ?");
    this.#page = db.prepare<InboxRow>(
      "SELECT seq, lane, attempts, item FROM inbox WHERE seq > ? ORDER BY seq LIMIT ?",
    );
    this.#entry = db.prepare<EntryRow>(`SELECT ${ENTRY_COLUMNS} FROM journal WHERE seq = ?`);
    this.#item = db.prepare<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ?`);
  }

  readonly append: Operations["append"] = (entries) => entries.map((entry) => this.#add(entry));

  #add(entry: NewEntry): AppendResult {
    const seq = this.#counters.get("seq") + 1;
    const { key, account, lane, kind, at, arrivedAt, source, body } = entry;
    if (this.#record.run(seq, key, account, lane, kind, at, arrivedAt, source, body) === 0) {
      return { outcome: "duplicate", seq: this.#known.get(key, account)?.seq ?? 0 };
    }
    this.#enqueue(lane, null);
    this.#counters.add("journal", 1);
    return { outcome: "new", seq };
  }

  /** Puts a settled item into its lane, behind all that came in before. */
  addSettled(lane: string, item: number): void {
    this.#enqueue(lane, item);
  }

  #enqueue(lane: string, item: number | null): void {
    this.#queue.run(this.#counters.add("seq", 1), lane, item);
    this.#counters.add("inbox", 1);
  }

  readonly fetch: Operations["fetch"] = (leases, now, limit, busy) => {
    const covered = this.#leases.covers(leases);
    const skipped = new Set(busy);
    const found = this.#dueTimers(now, limit, (lane) => !skipped.has(lane) && covered(lane));
    for (const { lane } of this.#waiting.all(now)) skipped.add(lane);
    const perLane = new Map<string, number>();
    let after = 0;
    for (;;) {
      const page = this.#page.all(after, PAGE);
      for (const row of page) {
        if (found.length >= limit) return found;
        const given = perLane.get(row.lane) ?? 0;
        if (given >= LANE_SHARE || skipped.has(row.lane) || !covered(row.lane)) continue;
        perLane.set(row.lane, given + 1);
        const input = this.#input(row);
        if (input !== undefined) found.push(input);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return found;
      after = last.seq;
    }
  };

  #input({ seq, lane, attempts, item }: InboxRow): LaneInput | undefined {
    const partition = this.#leases.partitionOf(lane);
    const place = { input: `inbox/${seq}`, lane, partition, attempts };
    if (item === null) {
      const entry = this.#entry.get(seq);
      return entry && { ...place, kind: "event", entry: toEntry(entry, partition) };
    }
    const row = this.#item.get(item);
    const pair = row && this.#runs.findWithEntry(row.run);
    return row && pair && { ...place, kind: "item-settled", item: toItem(row, partition), ...pair };
  }

  #dueTimers(now: number, limit: number, wanted: (lane: string) => boolean): LaneInput[] {
    return this.#runs.dueTimers(now, limit).flatMap((timer): LaneInput[] => {
      const pair = wanted(timer.lane) ? this.#runs.findWithEntry(timer.run) : undefined;
      if (pair === undefined) return [];
      const { id, lane } = timer;
      const partition = this.#leases.partitionOf(lane);
      const place = { input: `timer/${id}`, lane, partition, attempts: 0 };
      return [{ ...place, kind: "timer-due", timer, ...pair }];
    });
  }
}

const PAGE = 256;

/** One fetch gives at most so many inputs of a lane, so that a long lane leaves room for others. */
const LANE_SHARE = 32;
