import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { MINUTE_MS, type Gap } from "./plan.ts";
import { readBack, type ReadBackNeeds } from "./read-back.ts";

export interface SpotCheckNeeds extends Omit<ReadBackNeeds, "onHeldUp" | "signal"> {
  readonly clock: Clock;
  readonly log: Log;
  /** Deliveries of this stretch went missing, though nothing else told so. */
  readonly onMissing: (gap: Gap) => Promise<void>;
}

/** Compares what the platform shows with what it delivered, now and then. */
export interface SpotCheck {
  /** Looks at those of these accounts whose time has come, in the background. Deliveries come for them. */
  step(accounts: readonly string[]): void;
  stop(): Promise<void>;
}

/** Milliseconds of the platform's clock between two looks at an account: two of its 15 reads in 15 minutes. */
export const CHECK_EVERY_MS = 10 * MINUTE_MS;

/** A delivery that the platform repeats may be on its way for so long. */
const DELIVERED_WITHIN_MS = 3 * MINUTE_MS;

/**
 * Finds out that deliveries go missing where nothing else tells: between two challenges, an hour apart,
 * the way to this machine may have been cut and mended again. What it finds is taken in at once; the
 * rest of the stretch, such as follows and likes, only a replay brings back.
 */
export function spotCheck(needs: SpotCheckNeeds): SpotCheck {
  const { clock, log, onMissing } = needs;
  const ending = new AbortController();
  /** Up to when each account was looked at. */
  const checkedTo = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();

  const check = async (gap: Gap): Promise<void> => {
    const { signal } = ending;
    try {
      const done = await readBack(gap, { ...needs, onHeldUp: () => {}, signal });
      if (done === undefined) return;
      checkedTo.set(gap.account, gap.to);
      if (done.fresh === 0) return;
      const { account } = gap;
      log.warn({ account, events: done.fresh }, "deliveries went missing: found by reading");
      // What is younger has not been compared: nothing says that it came.
      await onMissing({ ...gap, to: Math.max(gap.to, clock.now()) });
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, account: gap.account }, "not compared");
    }
  };

  return {
    step(accounts) {
      const to = clock.now() - DELIVERED_WITHIN_MS;
      for (const account of accounts) {
        const from = checkedTo.get(account);
        // A clock that was set back comes by the same time again.
        if (from === undefined || from > to + DELIVERED_WITHIN_MS) checkedTo.set(account, to);
        else if (to - from >= CHECK_EVERY_MS && !underWay.has(account)) {
          const done = check({ account, from, to }).finally(() => underWay.delete(account));
          underWay.set(account, done);
        }
      }
    },
    async stop() {
      ending.abort();
      await Promise.all(underWay.values());
    },
  };
}
