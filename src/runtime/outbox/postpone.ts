import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../loop/throttle.ts";
import type { Clock } from "../clock/clock.ts";
import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort } from "../store/store.ts";

/** An item that is not sent now, and when it is offered again. */
export interface Postponed {
  readonly item: Item;
  readonly lease: Lease;
  /** By the platform's clock. */
  readonly notBefore: number;
  /** What it waits for, where there is more to say than the time. */
  readonly reason: string | undefined;
}

/** Has items offered again later, durably; their state stays what it is. */
export type Postpone = (postponed: readonly Postponed[]) => Promise<void>;

export interface PostponeNeeds {
  /** The worker that holds the leases. */
  readonly name: string;
  readonly store: Pick<OutboxPort, "changeItems">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Postpones many items in one write. */
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
