import type { StoreStats } from "../../runtime/store/listings.ts";

export interface UndecidedNeeds {
  /** Counts what the store holds. */
  readonly stats: () => Promise<Pick<StoreStats, "inbox" | "paused" | "runs">>;
  readonly onError: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const LOOK_EVERY_MS = 250;
/** A store that gives no count for so long is stalled: nobody knows what waits. */
const KNOWN_FOR_MS = 5_000;

/**
 * How many inputs wait to be decided on, told at once from a count that is some moments old. Those of
 * paused accounts are not among them: nothing is late there, and they are to be taken in.
 *
 * Each question renews a count that is older than a quarter of a second, so that a bot to which nothing
 * comes asks its store nothing. A count that could not be renewed for five seconds counts as 0.
 */
export function undecidedCount(needs: UndecidedNeeds): () => number {
  const { stats, onError, now = () => performance.now() } = needs;
  let known = { count: 0, at: -Infinity };
  let underWay = false;
  const look = async (): Promise<void> => {
    underWay = true;
    try {
      const { inbox, paused, runs } = await stats();
      // What waits for a bot is decided: a bot that hangs turns nobody away. Nor does a pause.
      known = { count: inbox - paused - runs.ready, at: now() };
    } catch (error) {
      onError(error);
    } finally {
      underWay = false;
    }
  };
  return () => {
    const age = now() - known.at;
    if (!underWay && age >= LOOK_EVERY_MS) void look();
    return age < KNOWN_FOR_MS ? known.count : 0;
  };
}
