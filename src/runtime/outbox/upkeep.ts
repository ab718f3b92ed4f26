import { type Clock, isTimeKnown } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort } from "../store/store.ts";
import type { ChangeItem } from "./change-item.ts";
import type { Gate } from "./gate/gate.ts";
import { openItems } from "./open-items.ts";
import { HOLD_MS } from "./plan.ts";
import type { Postpone } from "./postpone.ts";

export interface UpkeepNeeds {
  readonly store: Pick<OutboxPort, "openItems" | "overdueItems">;
  readonly change: ChangeItem;
  readonly postpone: Postpone;
  readonly gate: Pick<Gate, "setBack">;
  readonly clock: Clock;
  readonly log: Log;
  readonly isUnderWay: (item: Item) => boolean;
}

/**
 * Expires items whose time has passed, and keeps waits at their intended length when the clock is set. To be called
 * before each read of due items.
 */
export type Upkeep = (leases: readonly Lease[]) => Promise<void>;

/** Real milliseconds between two reads of items whose time has passed. */
const SWEEP_MS = 1_000;
/** Maximum number of items that one pass expires. */
const SWEEP = 500;

/**
 * Creates the function that expires items that have waited too long, including items that wait behind others. After the
 * clock was set back, it shortens the waits that end at a fixed time, so that they last no longer than intended.
 */
export function upkeep(needs: UpkeepNeeds): Upkeep {
  const watch = new ClockWatch();
  let sweptAt = -Infinity;
  return async (leases) => {
    // Expired leases are renewed soon. A set-back of the clock is noticed then: it concerns their items, too.
    if (leases.length === 0) return;
    const { by, before } = watch.look(needs.clock.now(), performance.now());
    if (by < 0) await keepWaits(needs, leases, -by);
    if (by > 0 && needs.clock.jumpsAreCorrections) await keepHolds(needs, leases, { by, before });
    if (performance.now() - sweptAt < SWEEP_MS) return;
    sweptAt = performance.now();
    if (isTimeKnown(needs.clock)) await giveUp(needs, leases);
  };
}

async function keepWaits(
  { store, clock, gate, log, postpone }: UpkeepNeeds,
  leases: readonly Lease[],
  by: number,
): Promise<void> {
  log.warn({ by }, "the clock was set back; waiting times of items are moved back with it");
  gate.setBack(by);
  const now = clock.now();
  for (const status of ["pending", "unknown"] as const) {
    for await (const item of openItems(store, leases, status)) {
      const lease = leaseOf(item, leases);
      if (lease === undefined || item.notBefore <= now) continue;
      const notBefore = Math.max(now, item.notBefore - by);
      await postpone([{ item, lease, notBefore, reason: item.reason }]);
    }
  }
}

/**
 * Prolongs the holds of items of unknown outcome that the clock, corrected forward, would end early. Otherwise the next
 * item of a lane would be sent before the outcome is known. The machine's clock may have stepped back shortly before.
 *
 * @param before Time that the clock showed before the correction.
 */
async function keepHolds(
  { store, clock, postpone }: UpkeepNeeds,
  leases: readonly Lease[],
  { by, before }: { readonly by: number; readonly before: number },
): Promise<void> {
  const latest = clock.now() + HOLD_MS;
  for await (const item of openItems(store, leases, "unknown")) {
    const lease = leaseOf(item, leases);
    const notBefore = Math.min(latest, Math.ceil(item.notBefore + by));
    if (lease === undefined || item.notBefore <= before || notBefore <= item.notBefore) continue;
    await postpone([{ item, lease, notBefore, reason: item.reason }]);
  }
}

async function giveUp(needs: UpkeepNeeds, leases: readonly Lease[]): Promise<void> {
  const { store, clock, change, isUnderWay } = needs;
  for (const item of await store.overdueItems(leases, clock.now(), SWEEP)) {
    const lease = leaseOf(item, leases);
    if (lease === undefined || isUnderWay(item)) continue;
    await change(item, lease, item.status, { to: "expired", reason: expiry(item) });
  }
}

/** Returns the reason of an expired item: that its time has passed, and what the item waited for. */
export function expiry({ reason }: Item): string {
  return reason === undefined ? "its time had passed" : `its time had passed; it waited: ${reason}`;
}

function leaseOf({ partition }: Item, leases: readonly Lease[]): Lease | undefined {
  return leases.find((held) => held.partition === partition);
}

/**
 * Detects that the platform's clock was set. An item that waits until a fixed time would then wait longer or shorter
 * than intended, by the same amount.
 */
class ClockWatch {
  #latest: number | undefined;
  #monotonic = 0;

  /**
   * @param now Platform time, in milliseconds since the epoch.
   * @returns Milliseconds by which the clock was set since the last call, negative if it was set back; 0 if it was not.
   *   `before` is the time that it showed at the last call.
   */
  look(now: number, monotonic: number): { readonly by: number; readonly before: number } {
    const before = this.#latest ?? now;
    const passed = now - before;
    const by = passed < 0 ? passed : Math.max(0, passed - (monotonic - this.#monotonic));
    const isFirst = this.#latest === undefined;
    [this.#latest, this.#monotonic] = [now, monotonic];
    return { by: isFirst || Math.abs(by) <= JITTER_MS ? 0 : by, before };
  }
}

/** Largest step, in milliseconds, that clock synchronization may cause. A step up to this size is ignored. */
const JITTER_MS = 1_000;
