import type { Log } from "../log.ts";
import type { Lease } from "../store/lease.ts";
import type { LeasePort } from "../store/store.ts";
import { pause } from "../../system/time/pause.ts";
import { pollLoop } from "./poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";

/** Leases of this process, which are renewed regularly. */
export interface HeldLeases {
  /** Leases that are valid now. */
  readonly held: () => readonly Lease[];
  /**
   * Resolves with the leases once they are valid. All of them may have expired, after a suspension of the machine or
   * while the store failed: that does not mean that this process has no work. Resolves at once if it has no leases.
   */
  whenValid(): Promise<readonly Lease[]>;
  /**
   * Calls `listener` with partitions that this process has acquired: at once with the current ones, then with each new one.
   * Expired leases are included: while no other process has acquired them, they are renewed in the same epoch. The previous
   * holder is fenced before the call, so its unfinished work can be taken over. A listener that fails is called again, since no
   * other process will do its work.
   *
   * @returns A function that unsubscribes.
   */
  onTaken(listener: LeaseListener): () => void;
  /** Calls `listener` with partitions that this process has lost, to another process or to none. */
  onLost(listener: LeaseListener): () => void;
  status(): { /** Partitions whose leases hold now. */ readonly partitions: number };
  /** Releases all leases. */
  stop(): Promise<void>;
}

/** Listener to changes of leases. Its errors are logged. */
export type LeaseListener = (leases: readonly Lease[]) => Promise<void> | void;

export interface LeaseNeeds {
  readonly store: Pick<LeasePort, "lease" | "release">;
  /** Name that is unique among all workers of the store. */
  readonly worker: string;
  readonly log: Log;
  /** Time to live of a lease without renewal, in milliseconds. */
  readonly ttlMs?: number;
  /** Real milliseconds before a failed listener is called again, or expired leases are checked again. */
  readonly againMs?: number;
  /** Milliseconds since the epoch by this machine's clock; `Date.now` by default. */
  readonly wall?: () => number;
}

const TTL_MS = 15_000;
const AGAIN_MS = 1_000;
/** Smallest difference between the wall clock and the monotonic clock that counts as a suspension, in milliseconds. */
const SUSPENDED_FROM_MS = 1_000;

/** Acquires leases, and renews them three times within their time to live. */
export async function holdLeases(needs: LeaseNeeds): Promise<HeldLeases> {
  const { store, worker, log, ttlMs = TTL_MS, againMs = AGAIN_MS } = needs;
  const ending = new AbortController();
  const takeListeners = new Set<LeaseListener>();
  const lossListeners = new Set<LeaseListener>();
  const suspension = new SuspensionWatch(needs.wall);
  let leases = await suspension.since(() => store.lease(worker, ttlMs));

  const stillHeld = ({ partition, epoch }: Lease): boolean =>
    leases.some((lease) => lease.partition === partition && lease.epoch === epoch);
  const telling: Telling = { stillHeld, log, againMs, ending: ending.signal };
  const inform = (listeners: Iterable<LeaseListener>, about: readonly Lease[]): void => {
    for (const listener of listeners) void tell(listener, about, telling);
  };
  const renewal = pollLoop({
    poll: async () => {
      const before = leases;
      leases = await suspension.since(() => store.lease(worker, ttlMs));
      inform(lossListeners, without(before, leases));
      inform(takeListeners, without(leases, before));
    },
    everyMs: ttlMs / 3,
    onError: throttle(LOG_EVERY_MS, (error) =>
      log.error({ err: error }, "leases could not be renewed"),
    ),
  });
  const held = (): readonly Lease[] => validOf(leases, suspension.ms());
  return {
    held,
    async whenValid() {
      while (leases.length > 0 && held().length === 0 && !ending.signal.aborted) {
        renewal.wake();
        await pause(againMs, ending.signal);
      }
      return held();
    },
    onTaken(listener) {
      takeListeners.add(listener);
      inform([listener], leases);
      return () => takeListeners.delete(listener);
    },
    onLost(listener) {
      lossListeners.add(listener);
      return () => lossListeners.delete(listener);
    },
    status: () => ({ partitions: held().length }),
    async stop() {
      ending.abort();
      await renewal.stop();
      await store.release(worker);
    },
  };
}

interface Telling extends Pick<LeaseNeeds, "log"> {
  readonly stillHeld: (lease: Lease) => boolean;
  readonly againMs: number;
  readonly ending: AbortSignal;
}

/** Calls a listener with leases. If it fails, calls it again with those of the leases that are still held. */
async function tell(
  listener: LeaseListener,
  about: readonly Lease[],
  { stillHeld, log, againMs, ending }: Telling,
): Promise<void> {
  for (let rest = about; rest.length > 0; rest = rest.filter(stillHeld)) {
    try {
      await Promise.resolve(rest).then(listener);
      return;
    } catch (error) {
      log.error(
        { err: error },
        "a change of this process's partitions could not be applied; retrying",
      );
    }
    await pause(againMs, ending);
    if (ending.aborted) return;
  }
}

/** Returns the leases of `all` that are not among `others`; a lease of another epoch is another lease. */
function without(all: readonly Lease[], others: readonly Lease[]): readonly Lease[] {
  const keys = new Set(others.map(({ partition, epoch }) => `${partition}/${epoch}`));
  return all.filter(({ partition, epoch }) => !keys.has(`${partition}/${epoch}`));
}

/** Returns the leases that are valid now, after a suspension of the machine for `suspendedMs` since their renewal. */
function validOf(leases: readonly Lease[], suspendedMs: number): readonly Lease[] {
  const valid = leases.filter(({ until }) => until - suspendedMs > performance.now());
  if (suspendedMs === 0) return valid;
  return valid.map((lease) => ({ ...lease, until: lease.until - suspendedMs }));
}

/**
 * Measures how long the machine was suspended. On Linux the monotonic clock stands still meanwhile, but the store lets
 * the leases expire.
 */
class SuspensionWatch {
  readonly #wall: () => number;
  #begun: { readonly real: number; readonly wall: number };

  constructor(wall: () => number = Date.now) {
    this.#wall = wall;
    this.#begun = this.#clocks();
  }

  /** Performs a renewal. Once it succeeds, {@link ms} measures from its begin. */
  async since<T>(renewal: () => Promise<T>): Promise<T> {
    const begun = this.#clocks();
    const result = await renewal();
    this.#begun = begun;
    return result;
  }

  ms(): number {
    const { real, wall } = this.#clocks();
    const ms = wall - this.#begun.wall - (real - this.#begun.real);
    return ms < SUSPENDED_FROM_MS ? 0 : ms;
  }

  #clocks() {
    return { real: performance.now(), wall: this.#wall() };
  }
}
