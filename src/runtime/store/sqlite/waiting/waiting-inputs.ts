import type { Database } from "../binding.ts";
import { LaneHeap } from "./lane-heap.ts";
import type { Pauses } from "./pauses.ts";

interface Lane {
  /** What it has to take in, in order, from `start` on: what is before that was taken in. */
  seqs: number[];
  start: number;
  /** Inputs that are to be tried again, and when. */
  readonly retries: Map<number, number>;
}

/** Where an input is. */
export interface InputPlace {
  readonly seq: number;
  readonly lane: string;
}

/** An entry that waits, and when it arrived. */
export interface OldestEntry {
  readonly seq: number;
  readonly arrivedAt: number;
}

/**
 * Which inputs wait in which lane: the inbox's index, in memory.
 *
 * The table alone says the same, but has to be read from the front: then what one lane leaves there is
 * in everybody's way. An index on disk would be written with every input. This one is read from the
 * inbox when the file is opened, and changed after each transaction that changes the inbox.
 */
export class WaitingInputs {
  readonly #lanes = new Map<string, Lane>();
  /** By their first input. */
  readonly #ready = new LaneHeap();
  /** Those that wait for a retry, by its time. */
  readonly #retrying = new LaneHeap();
  /** Those of paused accounts: they are in nobody's way. */
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

  /** Whether the lane has inputs to take in, now or later. */
  has(lane: string): boolean {
    return this.#lanes.has(lane);
  }

  /** An input came in, behind all others of its lane. */
  add({ lane, seq }: InputPlace): void {
    const known = this.#lanes.get(lane);
    if (known !== undefined) known.seqs.push(seq);
    else {
      const waiting = { seqs: [seq], start: 0, retries: new Map() };
      this.#lanes.set(lane, waiting);
      if (this.#pauses.holds(lane)) this.#aside.add(lane);
      else this.#ready.set(lane, seq);
    }
  }

  /** Accounts are paused that were not, or no longer. */
  pausesChanged(): void {
    for (const [name, lane] of this.#lanes) this.#place(name, lane);
  }

  /** How many inputs wait since their account is paused. */
  get aside(): number {
    let count = 0;
    for (const name of this.#aside) {
      const lane = this.#lanes.get(name);
      count += lane === undefined ? 0 : lane.seqs.length - lane.start;
    }
    return count;
  }

  /** An input was taken in. */
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

  /** An input is tried again at `retryAt`; until then its lane gives nothing. */
  putOff({ lane: name, seq }: InputPlace, retryAt: number): void {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return;
    lane.retries.set(seq, retryAt);
    this.#place(name, lane);
  }

  /**
   * The oldest inputs of lanes that wait for nothing at `now`, in order.
   *
   * @param share How many of one lane at most.
   * @param wanted Which lanes may give any.
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
      // All that stands behind is younger than `limit` inputs are.
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
   * The oldest entry that waits in each group of lanes; those of paused accounts are left out.
   *
   * @param groupOf Undefined: the lane is left out.
   * @param arrivedAt Undefined: that input is no entry.
   */
  oldest(
    groupOf: (lane: string) => number | undefined,
    arrivedAt: (seq: number) => number | undefined,
  ): ReadonlyMap<number, OldestEntry> {
    const found = new Map<number, OldestEntry>();
    for (const [name, { seqs, start }] of this.#lanes) {
      const group = this.#aside.has(name) ? undefined : groupOf(name);
      if (group === undefined) continue;
      const bound = found.get(group)?.seq ?? Number.POSITIVE_INFINITY;
      for (let at = start; at < seqs.length; at += 1) {
        const seq = seqs[at];
        // Inputs of a lane are in their order: what comes behind is younger still.
        if (seq === undefined || seq >= bound) break;
        const arrived = arrivedAt(seq);
        if (arrived === undefined) continue;
        found.set(group, { seq, arrivedAt: arrived });
        break;
      }
    }
    return found;
  }

  /** Lanes whose time has come are ready; a clock that was set back is looked for when they are read. */
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
