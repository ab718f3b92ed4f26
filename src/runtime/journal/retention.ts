import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { pump, type Pump } from "../pump.ts";
import type { Store } from "../store/store.ts";

/** How long events and what became of them are kept. */
const KEEP_MS = 30 * 24 * 60 * 60_000;
const LOOK_EVERY_MS = 60 * 60_000;

export interface RetentionNeeds {
  readonly store: Pick<Store, "prune">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Drops what is older than the retention time, at the start and once an hour. */
export function startRetention({ store, clock, log }: RetentionNeeds): Pump {
  const retention = pump({
    look: async () => {
      const dropped = await store.prune(clock.now() - KEEP_MS);
      if (dropped > 0) log.info({ dropped }, "old events dropped");
    },
    everyMs: LOOK_EVERY_MS,
    onError: (error) => log.error({ err: error }, "old events not dropped"),
  });
  retention.wake();
  return retention;
}
