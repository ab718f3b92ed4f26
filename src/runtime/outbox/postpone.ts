import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { Clock } from "../clock/clock.ts";
import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort } from "../store/store.ts";

/** Item that is not sent now, with the time of its next attempt. */
export interface Postponed {
  readonly item: Item;
  readonly lease: Lease;
  /** Platform time of the next attempt. */
  readonly notBefore: number;
  /** Reason for the wait, if there is one besides the time. */
  readonly reason: string | undefined;
}

/** Delays items durably; their state does not change. */
export type Postpone = (postponed: readonly Postponed[]) => Promise<void>;

export interface PostponeNeeds {
  /** Name of the worker that holds the leases. */
  readonly name: string;
  readonly store: Pick<OutboxPort, "changeItems">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the function that postpones items. All items of a call are changed in one write. */
export function postponer({ name, store, clock, log }: PostponeNeeds): Postpone {
  const tell = throttle(LOG_EVERY_MS, (last: Postponed, times) =>
    log.info({ item: last.item.id, times }, `items wait: ${last.reason ?? "not due"}`),
  );
  return async (postponed) => {
    if (postponed.length === 0) return;
    const at = clock.now();
    await store.changeItems(
      name,
      postponed.map(({ item, lease: { epoch }, notBefore, reason }) => {
        const { id, partition, status } = item;
        const why = reason === undefined ? {} : { reason };
        return { id, partition, epoch, from: status, to: status, at, notBefore, ...why };
      }),
    );
    for (const each of postponed) tell(each);
  };
}
