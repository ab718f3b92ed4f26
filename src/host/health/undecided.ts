import type { StoreStats } from "../../runtime/store/listings.ts";

export interface UndecidedNeeds {
  /** Returns the numbers of open inputs, of open inputs whose account is paused, and of open runs. */
  readonly stats: () => Promise<Pick<StoreStats, "inbox" | "paused" | "runs">>;
  readonly onError: (error: unknown) => void;
  /** Returns monotonic milliseconds, for the age of the cached count. */
  readonly now?: () => number;
}

const LOOK_EVERY_MS = 250;
/** Milliseconds for which a count is used. A store that returns no new count for this long is stalled. */
const KNOWN_FOR_MS = 5_000;

/**
 * Returns a function that gives the number of inputs waiting for a decision, immediately, from a cached count. Inputs
 * of paused accounts do not count: they are not late, and new ones must still be accepted.
 *
 * Each call renews a count older than a quarter of a second, so an idle bot never queries its store. A count that could
 * not be renewed for five seconds counts as 0. Load shedding still works then: deliveries wait for the stalled store, and
 * their bytes have a limit of their own.
 */
export function undecidedCount(needs: UndecidedNeeds): () => number {
  const { stats, onError, now = () => performance.now() } = needs;
  let latest = { count: 0, at: -Infinity };
  let underWay = false;
  const look = async (): Promise<void> => {
    underWay = true;
    try {
      const { inbox, paused, runs } = await stats();
      // Runs that wait for a bot are decided already, so neither a hanging bot nor a pause causes load shedding.
      latest = { count: inbox - paused - runs.ready, at: now() };
    } catch (error) {
      onError(error);
    } finally {
      underWay = false;
    }
  };
  return () => {
    const age = now() - latest.at;
    if (!underWay && age >= LOOK_EVERY_MS) void look();
    return age < KNOWN_FOR_MS ? latest.count : 0;
  };
}
