import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort } from "../store/store.ts";
import type { ChangeItem } from "./change-item.ts";
import type { Gate } from "./gate/gate.ts";
import { openItems } from "./open-items.ts";
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
  const setBack = new SetBackWatch();
  const holds: MovedHolds = new Map();
  let sweptAt = -Infinity;
  return async (leases) => {
    const by = setBack.since(needs.clock.now());
    if (by > 0) await keepWaits(needs, leases, { by, holds });
    else if (holds.size > 0) await keepHolds(needs, leases, holds);
    if (performance.now() - sweptAt < SWEEP_MS) return;
    sweptAt = performance.now();
    await giveUp(needs, leases);
  };
}

async function keepWaits(
  { store, clock, gate, log, postpone }: UpkeepNeeds,
  leases: readonly Lease[],
  { by, holds }: { readonly by: number; readonly holds: MovedHolds },
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
      const endsAt = performance.now() + notBefore - now;
      if (status === "unknown" && clock.jumpsAreCorrections) holds.set(item.id, endsAt);
    }
  }
}

/**
 * Ends of holds that a set-back of the clock has moved: monotonic times, by the id of the item of unknown outcome. A
 * machine's clock may step back and be corrected forward by the next response. Such a hold must not end early then, or
 * the lane's next item would be sent before the outcome is known.
 */
type MovedHolds = Map<number, number>;

/** Prolongs moved holds that the clock, corrected forward, would end early. */
async function keepHolds(
  { store, clock, postpone }: UpkeepNeeds,
  leases: readonly Lease[],
  holds: MovedHolds,
): Promise<void> {
  const monotonic = performance.now();
  for (const [id, endsAt] of holds) if (endsAt <= monotonic) holds.delete(id);
  for await (const item of openItems(store, leases, "unknown")) {
    const lease = leaseOf(item, leases);
    const endsAt = holds.get(item.id);
    if (lease === undefined || endsAt === undefined) continue;
    const notBefore = Math.ceil(clock.now() + endsAt - monotonic);
    if (notBefore <= item.notBefore + JITTER_MS) continue;
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
 * Detects that the platform's clock was set back.
 *
 * An item that waits until a fixed time would then wait longer than intended, by the same amount.
 */
export class SetBackWatch {
  #latest = -Infinity;

  /**
   * @param now Platform time, in milliseconds since the epoch.
   * @returns Milliseconds by which the clock was set back since the last call; 0 when it was not.
   */
  since(now: number): number {
    const by = this.#latest - now;
    this.#latest = now;
    return by > JITTER_MS ? by : 0;
  }
}

/** Largest step back, in milliseconds, that clock synchronization may cause. A step up to this size is ignored. */
const JITTER_MS = 1_000;
