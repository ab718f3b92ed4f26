import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Decided, Entry, Lease, Store } from "../store/store.ts";
import { eventOf, itemsOf, type Decider } from "./decide-entry.ts";
import { pump, type Pump } from "../pump.ts";
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
}

export interface RunWorker {
  /** New entries may be there. */
  wake(): void;
  /** Takes no new entry, and resolves when those under way are committed. */
  stop(): Promise<void>;
}

/** A failing entry stays first in its lane for so long, then it is parked and the lane goes on. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000] as const;
/** Entries asked for at a time. */
const FETCH_AHEAD = 512;

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

  constructor(needs: WorkerNeeds) {
    this.#needs = needs;
    this.#lanes = lanes(needs.width ?? 64);
    this.#pump = pump({
      look: () => this.#look(),
      everyMs: 1_000,
      onError: (error) => needs.log.error({ err: error }, "the inbox could not be read"),
    });
    this.#stopListening = needs.clock.onJump(() => this.wake());
    this.wake();
  }

  wake(): void {
    this.#pump.wake();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#pump.stop();
    await this.#lanes.idle();
  }

  async #look(): Promise<void> {
    const leases = this.#needs.leases();
    const endedBefore = [...this.#ended];
    const now = this.#needs.clock.now();
    const entries = await this.#needs.store.fetch(leases, now, FETCH_AHEAD, this.#lanes.busy());
    for (const entry of entries) {
      if (this.#taken.has(entry.seq) || this.#ended.has(entry.seq)) continue;
      this.#taken.add(entry.seq);
      const turn = this.#turns.get(entry.lane);
      this.#lanes.run(entry.lane, () => this.#handle(entry, leases, turn));
    }
    for (const seq of endedBefore) this.#ended.delete(seq);
    this.#more = entries.length >= FETCH_AHEAD;
  }

  async #handle(entry: Entry, leases: readonly Lease[], turn: number | undefined): Promise<void> {
    const { log } = this.#needs;
    try {
      if (this.#turns.get(entry.lane) !== turn) return;
      const lease = leases.find((held) => held.partition === entry.partition);
      const through =
        lease !== undefined && (await this.#commit(await this.#decided(entry, lease)));
      if (through) {
        this.#turns.delete(entry.lane);
        this.#ended.add(entry.seq);
      } else this.#turns.set(entry.lane, (turn ?? 0) + 1);
    } catch (error) {
      this.#turns.set(entry.lane, (turn ?? 0) + 1);
      log.error({ err: error, seq: entry.seq }, "entry not committed; it will be taken again");
    } finally {
      this.#taken.delete(entry.seq);
      if (this.#more && this.#taken.size < FETCH_AHEAD / 4) this.wake();
    }
  }

  /** @returns `true` when the lane may go on to its next entry. */
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
    const { clock, log } = this.#needs;
    const { seq, partition, lane } = entry;
    const nothing = { runs: [], state: [], items: [] };
    const base = { seq, partition, lane, epoch: lease.epoch, ...nothing, decidedAt: clock.now() };
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
      const decision = JSON.stringify({
        error: error instanceof Error ? error.message : String(error),
      });
      const delay = RETRY_DELAYS_MS[entry.attempts];
      log.error({ err: error, seq, attempts: entry.attempts }, "deciding failed");
      return delay === undefined
        ? { ...base, outcome: "parked", decision }
        : { ...base, outcome: "retry", retryAt: clock.now() + delay, decision };
    }
  }
}
