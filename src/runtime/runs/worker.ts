import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Decided, Entry, Lease, Store } from "../store/store.ts";
import { eventOf, itemsOf, type Decider } from "./decide-entry.ts";
import { pump, type Pump } from "../pump.ts";
import { seldom, TELL_EVERY_MS } from "../seldom.ts";
import { StoreError } from "../store/errors.ts";
import { within } from "../within.ts";
import { lanes, type Lanes } from "./lanes.ts";

export interface WorkerNeeds {
  readonly name: string;
  readonly store: Pick<Store, "fetch" | "commit">;
  readonly clock: Clock;
  readonly log: Log;
  /** Leases that hold now. */
  readonly leases: () => readonly Lease[];
  readonly decide: Decider;
  /** Called after a commit that queued items. */
  readonly onQueued: (count: number) => void;
  /** Lanes at work at once. */
  readonly width?: number;
  /** Real milliseconds that {@link RunWorker.stop} waits for what is under way. */
  readonly stopGraceMs?: number;
}

export interface RunWorker {
  /** New entries may be there. */
  wake(): void;
  /**
   * Takes no new entry, and resolves when those under way are committed. One that takes too long is
   * left: nothing of it is kept, and the next start decides it again.
   */
  stop(): Promise<void>;
}

/** A failing entry stays first in its lane for so long, then it is parked and the lane goes on. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000] as const;
/** Entries asked for at a time. */
const FETCH_AHEAD = 512;
/** Entries in hand at most: a backlog stays on disk. */
const MOST_IN_HAND = 4_096;
const STOP_GRACE_MS = 3_000;

/** Takes entries off the inbox, lane by lane, and commits what was decided of each. */
export function startWorker(needs: WorkerNeeds): RunWorker {
  return new LaneWorker(needs);
}

class LaneWorker implements RunWorker {
  readonly #needs: WorkerNeeds;
  readonly #lanes: Lanes;
  readonly #pump: Pump;
  readonly #stopListening: () => void;
  /** Entries in hand: under way, or waiting in their lane. */
  readonly #taken = new Set<number>();
  /** Entries that ended while a fetch was under way: it may still give them. */
  readonly #ended = new Set<number>();
  /** Rises when a lane's first entry did not get through: what was taken behind it is given back. */
  readonly #turns = new Map<string, number>();
  #more = false;
  #stopping = false;
  /** Stopping took too long: what is decided from now on is not kept. */
  #left = false;

  constructor(needs: WorkerNeeds) {
    this.#needs = needs;
    this.#lanes = lanes(needs.width ?? 64);
    this.#pump = pump({
      look: () => this.#look(),
      everyMs: 1_000,
      onError: seldom(TELL_EVERY_MS, (error) =>
        needs.log.error({ err: error }, "the inbox could not be read"),
      ),
    });
    this.#stopListening = needs.clock.onJump(() => this.wake());
    this.wake();
  }

  wake(): void {
    this.#pump.wake();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopListening();
    await this.#pump.stop();
    if (await within(this.#needs.stopGraceMs ?? STOP_GRACE_MS, this.#lanes.idle())) return;
    this.#left = true;
    this.#needs.log.warn(
      { entries: [...this.#taken] },
      "stopped before these were decided; the next start takes them up again",
    );
  }

  async #look(): Promise<void> {
    if (this.#taken.size >= MOST_IN_HAND) {
      this.#more = true;
      return;
    }
    const leases = this.#needs.leases();
    const endedBefore = [...this.#ended];
    const now = this.#needs.clock.now();
    const entries = await this.#needs.store.fetch(leases, now, FETCH_AHEAD, this.#lanes.busy());
    const ends = lastOfSeveral(entries);
    for (const entry of entries) {
      if (this.#taken.has(entry.seq) || this.#ended.has(entry.seq)) continue;
      this.#taken.add(entry.seq);
      const turn = this.#turns.get(entry.lane);
      const endsPart = ends.has(entry.seq);
      this.#lanes.run(entry.lane, () => this.#handle(entry, { leases, turn, endsPart }));
    }
    for (const seq of endedBefore) this.#ended.delete(seq);
    this.#more = entries.length >= FETCH_AHEAD;
  }

  async #handle(entry: Entry, { leases, turn, endsPart }: Hand): Promise<void> {
    // A long lane comes in parts: the next one is asked for when this one is through.
    let lookAgain = endsPart;
    try {
      if (this.#stopping || this.#turns.get(entry.lane) !== turn) return;
      const lease = leases.find((held) => held.partition === entry.partition);
      if (lease !== undefined && (await this.#decideAndCommit(entry, lease))) {
        this.#turns.delete(entry.lane);
        this.#ended.add(entry.seq);
      } else this.#turns.set(entry.lane, (turn ?? 0) + 1);
    } catch (error) {
      lookAgain = false;
      this.#turns.set(entry.lane, (turn ?? 0) + 1);
      this.#needs.log.error({ err: error, seq: entry.seq }, "entry not committed; it comes again");
    } finally {
      this.#taken.delete(entry.seq);
      // A turn later, when the lane is free: a fetch leaves out those with work in hand.
      if (lookAgain || (this.#more && this.#taken.size < FETCH_AHEAD / 4)) {
        setImmediate(() => this.wake());
      }
    }
  }

  /** @returns `true` when the lane may go on to its next entry. */
  async #decideAndCommit(entry: Entry, lease: Lease): Promise<boolean> {
    const result = await this.#decided(entry, lease);
    if (this.#left) return false;
    try {
      return await this.#commit(result);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "E_STORE_DATA") throw error;
      return this.#commit(this.#failed(entry, lease, error));
    }
  }

  async #commit(result: Decided): Promise<boolean> {
    const [done] = await this.#needs.store.commit(this.#needs.name, [result]);
    if (done !== true) {
      this.#needs.log.warn({ seq: result.seq }, "decision dropped: done already, or lease lost");
      return false;
    }
    if (result.items.length > 0) this.#needs.onQueued(result.items.length);
    return result.outcome !== "retry";
  }

  async #decided(entry: Entry, lease: Lease): Promise<Decided> {
    const { clock } = this.#needs;
    const base = undecided(entry, lease, clock.now());
    try {
      if (entry.source === "internal") return { ...base, outcome: "done", decision: "{}" };
      const event = eventOf(entry);
      if (event === undefined) throw new Error("the stored body no longer yields this event");
      const outcome = await this.#needs.decide(event, entry);
      return {
        ...base,
        outcome: "done",
        decidedAt: clock.now(),
        decision: JSON.stringify(outcome.decision),
        runs: outcome.runs,
        state: outcome.state ?? [],
        items: itemsOf(entry, outcome, clock.now()),
      };
    } catch (error) {
      return this.#failed(entry, lease, error);
    }
  }

  /** Another try later, or none any more. */
  #failed(entry: Entry, lease: Lease, error: unknown): Decided {
    const { clock, log } = this.#needs;
    const base = undecided(entry, lease, clock.now());
    const decision = JSON.stringify({ error: messageOf(error) });
    const delay = RETRY_DELAYS_MS[entry.attempts];
    if (!this.#left) {
      log.error({ err: error, seq: entry.seq, attempts: entry.attempts }, "deciding failed");
    }
    return delay === undefined
      ? { ...base, outcome: "parked", decision }
      : { ...base, outcome: "retry", retryAt: clock.now() + delay, decision };
  }
}

/** What goes with an entry into its lane. */
interface Hand {
  readonly leases: readonly Lease[];
  readonly turn: number | undefined;
  /** The last of several that the fetch gave of its lane: there may be more of them. */
  readonly endsPart: boolean;
}

/** Where a lane has several entries, the last of them. */
function lastOfSeveral(entries: readonly Entry[]): ReadonlySet<number> {
  const first = new Map(entries.toReversed().map(({ lane, seq }) => [lane, seq]));
  const last = new Map(entries.map(({ lane, seq }) => [lane, seq]));
  return new Set([...last].flatMap(([lane, seq]) => (first.get(lane) === seq ? [] : [seq])));
}

function undecided({ seq, partition, lane }: Entry, { epoch }: Lease, decidedAt: number) {
  return { seq, partition, lane, epoch, decidedAt, runs: [], state: [], items: [] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
