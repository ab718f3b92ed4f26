import type { Log } from "../../runtime/log.ts";
import { pollLoop } from "../../runtime/loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { LeasePort } from "../../runtime/store/store.ts";

/** Offset of this machine's clock from the store's. */
export interface ClockOffset {
  /** Milliseconds that this machine's clock is ahead, negative if behind; undefined before the first comparison. */
  aheadMs(): number | undefined;
  stop(): Promise<void>;
}

export interface ClockOffsetNeeds {
  readonly store: Pick<LeasePort, "clock" | "isShared">;
  readonly log: Log;
  /** Returns the time of this machine's clock, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Returns real milliseconds, to measure how long a comparison takes. Default: `performance.now()`. */
  readonly monotonic?: () => number;
  /** Interval of comparisons in real milliseconds. Default: 5,000, the interval of lease renewals. */
  readonly everyMs?: number;
}

const EVERY_MS = 5_000;
/**
 * Milliseconds of offset above which a warning is logged: timers and retries are this early or late on other machines.
 */
const TOLD_FROM_MS = 1_000;

/**
 * Compares this machine's clock with the store's clock periodically. Leases use neither clock. Stored due times, such
 * as those of retries, come too early or too late on another machine by this offset.
 */
export async function compareClocks(needs: ClockOffsetNeeds): Promise<ClockOffset> {
  const { store, log, now = Date.now, everyMs = EVERY_MS } = needs;
  const { monotonic = () => performance.now() } = needs;
  if (!store.isShared) return { aheadMs: () => 0, stop: async () => {} };
  let aheadMs: number | undefined;
  const tell = throttle(LOG_EVERY_MS, (ms: number) =>
    log.warn(
      { aheadMs: ms },
      `the clock of this machine is ${Math.abs(ms)} ms ${ms > 0 ? "ahead of" : "behind"} the store's clock: synchronize it with NTP`,
    ),
  );
  const compare = async (): Promise<void> => {
    const before = monotonic();
    const theirs = await store.clock();
    const tookMs = monotonic() - before;
    // The store read its clock at an unknown time between the request and the response.
    aheadMs = Math.round(now() - tookMs / 2 - theirs);
    if (Math.abs(aheadMs) - tookMs / 2 > TOLD_FROM_MS) tell(aheadMs);
  };
  await compare();
  const loop = pollLoop({
    poll: compare,
    everyMs,
    onError: throttle(LOG_EVERY_MS, (error) =>
      log.error({ err: error }, "the store's clock could not be read"),
    ),
  });
  return { aheadMs: () => aheadMs, stop: () => loop.stop() };
}
