import type { Database } from "../binding.ts";
import { LaneHeap } from "./lane-heap.ts";
import type { Pauses } from "./pauses.ts";

interface Lane {
  /** `seq` of each waiting input, in order, from index `start` on. Inputs before `start` were processed. */
  seqs: number[];
  start: number;
  /** Retry time of each input that waits for a retry, by `seq`. */
  readonly retries: Map<number, number>;
}

/** Input of the inbox, by its `seq`, with its lane. */
export interface InputPlace {
  readonly seq: number;
  readonly lane: string;
}

/** Waiting entry with its arrival time. */
export interface OldestEntry {
  readonly seq: number;
  readonly arrivedAt: number;
}

/**
 * In-memory index of the inbox: the waiting inputs of each lane.
 *
 * The table has the same data, but every fetch would have to read it from the start, and scan the inputs of blocked
 * lanes again. An index on disk would have to be written with every input. This index is read from the table when the
 * file is opened, and updated after each commit that changes the inbox.
 */
export class WaitingInputs {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes sorted by their first input. */
  readonly #ready = new LaneHeap();
  /** Lanes that wait for a retry, sorted by the time of the retry. */
  readonly #retrying = new LaneHeap();
  /** Lanes of paused accounts, which `next` skips. */
  readonly #aside = new Set<string>();
  readonly #pauses: Pick<Pauses, "holds">;

  constructor(db: Database, pauses: Pick<Pauses, "holds">) {
    this.#pauses = pauses;
    const page = db.prepare<{ seq: number; lane: string; retry_at: number | null }>(
      `SELECT id AS seq, lane, retry_at FROM work WHERE kind = 'input' AND id > ? ORDER BY id LIMIT ?`,
    );
    let after = 0;
    for (let rows = page.all(after, PAGE); rows.length > 0; rows = page.all(after, PAGE)) {
      for (const { seq, lane, retry_at: retryAt } of rows) {
        this.add({ lane, seq });
        if (retryAt !== null) this.putOff({ lane, seq }, retryAt);
        after = seq;
      }
    }
  }

  /** Whether the lane has inputs to process, now or later. */
  has(lane: string): boolean {
    return this.#lanes.has(lane);
  }

  /** Adds an input behind all others of its lane. */
  add({ lane, seq }: InputPlace): void {
    const queue = this.#lanes.get(lane);
    if (queue !== undefined) queue.seqs.push(seq);
    else {
      const waiting = { seqs: [seq], start: 0, retries: new Map() };
      this.#lanes.set(lane, waiting);
      if (this.#pauses.holds(lane)) this.#aside.add(lane);
      else this.#ready.set(lane, seq);
    }
  }

  /** Sorts all lanes again after a change of paused accounts. */
  pausesChanged(): void {
    for (const [name, lane] of this.#lanes) this.#place(name, lane);
  }

  /** Number of inputs that wait because their account is paused. */
  get aside(): number {
    let count = 0;
    for (const name of this.#aside) {
      const lane = this.#lanes.get(name);
      count += lane === undefined ? 0 : lane.seqs.length - lane.start;
    }
    return count;
  }

  /** Removes a processed input. */
  remove({ lane: name, seq }: InputPlace): void {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return;
    lane.retries.delete(seq);
    if (lane.seqs[lane.start] === seq) lane.start += 1;
    else {
      lane.seqs = lane.seqs.slice(lane.start).filter((other) => other !== seq);
      lane.start = 0;
    }
    if (lane.start > lane.seqs.length / 2) {
      lane.seqs = lane.seqs.slice(lane.start);
      lane.start = 0;
    }
    this.#place(name, lane);
  }

  /** Defers an input until `retryAt`. Until that time, its lane returns no input. */
  putOff({ lane: name, seq }: InputPlace, retryAt: number): void {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return;
    lane.retries.set(seq, retryAt);
    this.#place(name, lane);
  }

  /**
   * Returns the oldest inputs of lanes that do not wait for a retry at `now`, in order.
   *
   * @param share Maximum number of inputs of one lane.
   * @param wanted Filter for lanes.
   */
  next(
    now: number,
    { limit, share }: { readonly limit: number; readonly share: number },
    wanted: (lane: string) => boolean,
  ): InputPlace[] {
    this.#promote(now);
    const chosen: { readonly name: string; readonly lane: Lane }[] = [];
    const early: { readonly name: string; readonly until: number }[] = [];
    let bound = Number.POSITIVE_INFINITY;
    for (const { lane: name, first } of this.#ready.inOrder()) {
      const lane = this.#lanes.get(name);
      if (lane === undefined) continue;
      const until = retryTime(lane);
      if (until > now) early.push({ name, until });
      else if (wanted(name)) chosen.push({ name, lane });
      // All inputs of the lanes that follow are newer than the first inputs of the `limit` chosen lanes.
      if (chosen.length >= limit) {
        bound = first;
        break;
      }
    }
    for (const { name, until } of early) {
      this.#ready.delete(name);
      this.#retrying.set(name, until);
    }
    return chosen
      .flatMap(({ name, lane: { seqs, start } }) =>
        seqs
          .slice(start, start + share)
          .filter((seq) => seq <= bound)
          .map((seq) => ({ seq, lane: name })),
      )
      .sort((a, b) => a.seq - b.seq)
      .slice(0, limit);
  }

  /**
   * Returns the oldest waiting entry of each group of lanes. Skips lanes of paused accounts.
   *
   * @param groupOf Returns the group of a lane; undefined to skip the lane.
   * @param arrivedAt Returns the arrival time of an entry; undefined for an input that is not an entry.
   */
  oldest(
    groupOf: (lane: string) => number | undefined,
    arrivedAt: (seq: number) => number | undefined,
  ): ReadonlyMap<number, OldestEntry> {
    const oldest = new Map<number, OldestEntry>();
    for (const [name, { seqs, start }] of this.#lanes) {
      const group = this.#aside.has(name) ? undefined : groupOf(name);
      if (group === undefined) continue;
      const bound = oldest.get(group)?.seq ?? Number.POSITIVE_INFINITY;
      for (let at = start; at < seqs.length; at += 1) {
        const seq = seqs[at];
        // The inputs of a lane are sorted, so all inputs after this one are newer, too.
        if (seq === undefined || seq >= bound) break;
        const arrived = arrivedAt(seq);
        if (arrived === undefined) continue;
        oldest.set(group, { seq, arrivedAt: arrived });
        break;
      }
    }
    return oldest;
  }

  /**
   * Moves lanes whose retry is due to the ready lanes. `next` checks the time again, because the clock may be set back.
   */
  #promote(now: number): void {
    const due: string[] = [];
    for (const { lane, first } of this.#retrying.inOrder()) {
      if (first > now) break;
      due.push(lane);
    }
    for (const name of due) {
      this.#retrying.delete(name);
      const lane = this.#lanes.get(name);
      const head = lane?.seqs[lane.start];
      if (head !== undefined) this.#ready.set(name, head);
    }
  }

  #place(name: string, lane: Lane): void {
    const head = lane.seqs[lane.start];
    this.#ready.delete(name);
    this.#retrying.delete(name);
    this.#aside.delete(name);
    if (head === undefined) this.#lanes.delete(name);
    else if (this.#pauses.holds(name)) this.#aside.add(name);
    else if (lane.retries.size > 0) this.#retrying.set(name, retryTime(lane));
    else this.#ready.set(name, head);
  }
}

function retryTime({ retries }: Lane): number {
  return retries.size === 0 ? Number.NEGATIVE_INFINITY : Math.max(...retries.values());
}

const PAGE = 10_000;
