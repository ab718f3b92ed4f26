import { type Clock, isTimeKnown } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pollLoop, type PollLoop } from "../loop/poll-loop.ts";
import type { AdminPort } from "../store/store.ts";

/** Time for which events and their outcomes are stored, in milliseconds: 30 days. */
const KEEP_MS = 30 * 24 * 60 * 60_000;
/** Real milliseconds between two deletions. */
const PRUNE_EVERY_MS = 60 * 60_000;
/** Real milliseconds between two checks whether old data has to be deleted. */
const LOOK_EVERY_MS = 60_000;

export interface RetentionNeeds {
  readonly store: Pick<AdminPort, "prune">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Deletes data older than the retention time, at the start and once an hour. Deletes nothing before the platform's time
 * is known: if the machine's clock is ahead by a month, all data seems to be old.
 */
export function startRetention({ store, clock, log }: RetentionNeeds): PollLoop {
  let nextAt = -Infinity;
  const retention = pollLoop({
    poll: async () => {
      if (!isTimeKnown(clock) || performance.now() < nextAt) return;
      const now = clock.now();
      const dropped = await store.prune({ before: now - KEEP_MS, now });
      nextAt = performance.now() + PRUNE_EVERY_MS;
      if (dropped > 0) log.info({ dropped }, "old events deleted");
    },
    everyMs: LOOK_EVERY_MS,
    onError: (error) => log.error({ err: error }, "old events could not be deleted"),
  });
  retention.wake();
  return retention;
}
