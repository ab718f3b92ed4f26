import { type Action, describeAction, echoOf, isRepeatable } from "../../actions/actions.ts";
import type { AccountEvent } from "../../events/event.ts";
import { UsageError } from "../../errors.ts";
import { type Clock, isTimeKnown } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { HeldLeases } from "../loop/leases.ts";
import { pollLoop, type PollLoop } from "../loop/poll-loop.ts";
import { settlesWithin } from "../../system/time/settles-within.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import { StoreError } from "../store/errors.ts";
import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort, ReadPort } from "../store/store.ts";
import type { Candidate } from "./effects/effect.ts";
import { NotAskedError } from "./gate/not-asked.ts";
import type { ChangeItem } from "./change-item.ts";
import { HOLD_MS, isDuplicateRefusal, resultToStore } from "./plan.ts";
import { placeInThread } from "./thread.ts";

/**
 * Finds on the platform what an action may have created, oldest first; `undefined` when the platform never shows
 * results of such an action. Rejects when the platform can't be read.
 *
 * `since` is the earliest date of the result, in milliseconds since the epoch. There is no latest date: the platform's
 * clock may have been ahead during the request and set back after it, and then the result has a date in the future.
 */
export type FindAgain = (
  account: string,
  action: Action,
  since: number,
) => Promise<readonly Candidate[] | undefined>;

export interface ReconcilerNeeds {
  readonly store: Pick<OutboxPort, "openItems"> & Pick<ReadPort, "items">;
  readonly change: ChangeItem;
  readonly find: FindAgain;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: Pick<HeldLeases, "held">;
  /** Time limit of a request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** Time after a request's timeout in which the platform may still execute the request. */
export const LONGEST_DELAY_MS = 10_000;

/**
 * Maximum difference between the clocks of this machine and the platform. The platform shows times in whole seconds.
 */
const SLACK_MS = 2_000;

/** Longest time for which the platform refuses a text as a duplicate of an earlier post. */
const DUPLICATE_MS = 24 * 60 * 60_000;

/** Maximum number of items that one query reads. */
const PAGE = 200;
/** Real milliseconds before the platform is read again for an item whose read failed. */
const READ_AGAIN_MS = 15_000;

/**
 * Settles items of unknown outcome. An item that is found on the platform was sent; an item that is certainly absent is
 * sent again. So is a repeatable action whose result the platform never shows.
 *
 * Each object on the platform counts as the result of at most one item, so two intended posts with equal texts stay
 * two. While the platform can't be read, an item stays unknown, which is logged. An item of an account that is not linked
 * expires when its time has passed.
 */
export class Reconciler {
  readonly #needs: ReconcilerNeeds;
  readonly #loop: PollLoop;
  readonly #stopListening: () => void;
  /** Ids of the items whose outcome became unknown in this process. */
  readonly #own = new Set<number>();
  readonly #unreadable;
  #stopping = false;
  /** Lane of each item whose outcome is unknown, by item id. */
  readonly #lanes = new Map<number, string>();
  /** Ids of the items that became unknown since the last poll began, which may not have read them. */
  readonly #fresh = new Set<number>();
  /** Monotonic time, by item id, before which the platform is not read again for the item. */
  readonly #readAgainAt = new Map<number, number>();
  /** Monotonic time, by item id, at which this process first saw the item as unknown. */
  readonly #unknownSince = new Map<number, number>();

  constructor(needs: ReconcilerNeeds) {
    this.#needs = needs;
    this.#unreadable = throttle(LOG_EVERY_MS, (error: unknown, times) =>
      needs.log.error(
        { err: error, times },
        "items of unknown outcome could not be looked up on the platform; they stay unknown",
      ),
    );
    this.#loop = pollLoop({
      poll: () => this.#poll(),
      everyMs: 1_000,
      onError: throttle(LOG_EVERY_MS, (error) =>
        needs.log.error(
          { err: error },
          "items of unknown outcome could not be read from the store",
        ),
      ),
    });
    this.#stopListening = needs.clock.onJump(() => this.#loop.wake());
    this.#loop.wake();
  }

  /** Polls soon. Called when the platform may be readable again. */
  wake(): void {
    this.#loop.wake();
  }

  /** Registers an item whose outcome is unknown from now on. */
  expect({ id, lane }: Pick<Item, "id" | "lane">): void {
    this.#lanes.set(id, lane);
    // Drops the times of an earlier attempt, which was not found on the platform, so that the item was sent again.
    this.#unknownSince.delete(id);
    this.#readAgainAt.delete(id);
    this.#own.add(id);
    this.#fresh.add(id);
    this.#loop.wake();
  }

  /**
   * Checks whether an event is the platform's echo of an unknown item: the outbound event for the item's message or
   * post.
   */
  onEvent(lane: string, read: () => AccountEvent): void {
    if (![...this.#lanes.values()].includes(lane)) return;
    this.#recognise(read).catch((error: unknown) =>
      // Nothing is lost: a later poll looks the item up on the platform.
      this.#needs.log.warn(
        { err: error, lane },
        "an echo of a sent message could not be processed",
      ),
    );
  }

  async #recognise(read: () => AccountEvent): Promise<void> {
    const event = read();
    if (event.direction !== "outbound") return;
    const { store } = this.#needs;
    const unknown = await store.items({ lane: event.lane, status: "unknown", limit: PAGE });
    for (const item of unknown.toReversed()) {
      const place = await placeInThread(store, item);
      if (place.kind !== "ready") continue;
      const echo = echoOf(event, place.item.action, { account: item.account });
      const lease = this.#leaseOf(item);
      if (echo === undefined || lease === undefined || echo.at < earliestOf(item)) continue;
      const { platformId } = echo;
      if (platformId === undefined || (await this.#claimed(item)).has(platformId)) continue;
      await this.#needs.change(item, lease, "unknown", {
        to: "sent",
        platformId,
        reason: "echoed",
      });
      return;
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopListening();
    // A look-up that takes longer is abandoned: its item stays unknown, and the next start looks it up again.
    await settlesWithin(this.#needs.requestTimeoutMs, this.#loop.stop());
  }

  async #poll(): Promise<void> {
    const { store, leases } = this.#needs;
    const held = leases.held();
    // Expired leases are renewed soon: what is known about the items stays.
    if (held.length === 0) return;
    const open = new Set<number>();
    this.#fresh.clear();
    for (let after = 0, more = true; more;) {
      const query = { status: "unknown", after, limit: PAGE } as const;
      const unknown = await store.openItems(held, query);
      for (const item of unknown) {
        if (this.#stopping) return;
        open.add(item.id);
        this.#lanes.set(item.id, item.lane);
        if (!this.#isKnownBy(item)) continue;
        if (performance.now() < (this.#readAgainAt.get(item.id) ?? 0)) continue;
        await this.#lookUpAlone(item);
      }
      after = unknown.at(-1)?.id ?? after;
      more = unknown.length === PAGE;
    }
    for (const ids of [this.#lanes, this.#readAgainAt, this.#unknownSince, this.#own]) {
      for (const id of ids.keys()) if (!open.has(id) && !this.#fresh.has(id)) ids.delete(id);
    }
  }

  /**
   * Whether enough time has passed for the platform to show the item if it arrived. The time is measured by the
   * platform's clock or, if that clock was set back, by the process's monotonic clock. A clock that is corrected forward
   * proves nothing: the machine's clock may have stepped back during the request.
   */
  #isKnownBy(item: Item): boolean {
    const since = this.#unknownSince.get(item.id) ?? performance.now();
    this.#unknownSince.set(item.id, since);
    const { clock, requestTimeoutMs } = this.#needs;
    const isProven = clock.jumpsAreCorrections === undefined || !this.#own.has(item.id);
    if (isProven && clock.now() >= this.#knownAt(item)) return true;
    return performance.now() - since >= requestTimeoutMs + LONGEST_DELAY_MS;
  }

  /**
   * Returns the time from which the platform shows whether the item arrived. The time at which the item was marked as
   * `sending` does not suffice: a slow disk or a suspended process may have delayed the request.
   */
  #knownAt(item: Item): number {
    const { startedAt = 0 } = item;
    return (
      Math.max(startedAt, unknownSince(item)) + this.#needs.requestTimeoutMs + LONGEST_DELAY_MS
    );
  }

  /** Looks an item up. If the store can't hold the result, only this item stays unknown. */
  async #lookUpAlone(item: Item): Promise<void> {
    try {
      await this.#lookUp(item);
    } catch (error) {
      if (error instanceof StoreError && error.retryable) throw error;
      this.#readAgainAt.set(item.id, performance.now() + READ_AGAIN_MS);
      this.#unreadable(error);
    }
  }

  async #lookUp(item: Item): Promise<void> {
    const { find, change, clock, log, store } = this.#needs;
    const lease = this.#leaseOf(item);
    if (lease === undefined) return;
    // After the clock was set back, the result of the request may have an earlier date than the request.
    const since = Math.min(earliestOf(item), clock.now() - SLACK_MS);
    let candidates: readonly Candidate[] | undefined;
    try {
      const place = await placeInThread(store, item);
      const { action } = place.kind === "ready" ? place.item : item;
      candidates = await find(item.account, action, since);
    } catch (error) {
      const { expiresAt = Infinity } = item;
      // No read is possible, because the account is not linked, and a later one could change nothing but the record.
      if (error instanceof UsageError && isTimeKnown(clock) && clock.now() >= expiresAt) {
        const reason = `unknown whether it was done: ${error.message}`;
        await change(item, lease, "unknown", { to: "expired", reason });
        return;
      }
      // A read that the gate did not permit is tried again at the next poll; a failed read, after a pause.
      if (!(error instanceof NotAskedError)) {
        this.#readAgainAt.set(item.id, performance.now() + READ_AGAIN_MS);
      }
      this.#unreadable(error);
      return;
    }
    if (this.#stopping) return;
    if (candidates === undefined) return this.#neverShown(item, lease);
    const claimed = await this.#claimed({ ...item, startedAt: since });
    const own = candidates.find(({ platformId }) => !claimed.has(platformId));
    if (own !== undefined) {
      const reason = "found on the platform";
      const { platformId } = own;
      const shown = { platformId, ...resultToStore(item, own) };
      await change(item, lease, "unknown", { to: "sent", ...shown, reason });
      return;
    }
    const now = clock.now();
    if (item.expiresAt !== undefined && now >= item.expiresAt) {
      const reason = "not found on the platform, and its time has passed";
      await change(item, lease, "unknown", { to: "expired", reason });
      return;
    }
    if (isDuplicateRefusal(item.reason)) {
      await change(item, lease, "unknown", { to: "failed", reason: item.reason });
      return;
    }
    log.info({ item: item.id }, `not on the platform, sent again: ${describeAction(item.action)}`);
    const reason = "not found on the platform";
    await change(item, lease, "unknown", { to: "pending", notBefore: now, reason });
  }

  /**
   * Handles an item whose result the platform never shows. A repeatable action is sent again. Any other action might be
   * performed twice: its item stays unknown until it expires, and the operator can decide earlier.
   */
  async #neverShown(item: Item, lease: Lease): Promise<void> {
    const { clock, change, log } = this.#needs;
    const now = clock.now();
    if (now >= (item.expiresAt ?? Infinity)) {
      const reason = "unknown whether it was done: the platform does not show it";
      await change(item, lease, "unknown", { to: "expired", reason });
      return;
    }
    if (!isRepeatable(item.action)) {
      this.#readAgainAt.set(item.id, performance.now() + READ_AGAIN_MS);
      return;
    }
    const reason = "sent again, which does no harm";
    log.info({ item: item.id }, `${reason}: ${describeAction(item.action)}`);
    await change(item, lease, "unknown", { to: "pending", notBefore: now, reason });
  }

  /** Returns the platform ids of the lane's items sent since this item's request began: results of other items. */
  async #claimed({ lane, startedAt = 0 }: Item): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (let before: number | undefined; ;) {
      const query = { lane, status: "sent", limit: PAGE } as const;
      const sent = await this.#needs.store.items({
        ...query,
        ...(before !== undefined && { before }),
      });
      for (const { platformId } of sent) if (platformId !== undefined) ids.add(platformId);
      before = sent.at(-1)?.id;
      const since = sent.at(-1)?.settledAt ?? 0;
      if (sent.length < PAGE || since < startedAt - SLACK_MS) return ids;
    }
  }

  #leaseOf({ partition }: Item): Lease | undefined {
    return this.#needs.leases.held().find((held) => held.partition === partition);
  }
}

/** Returns the time at which the item's outcome became unknown, which is {@link HOLD_MS} before its `notBefore`. */
function unknownSince({ notBefore }: Item): number {
  return notBefore - HOLD_MS;
}

/** Returns the earliest date that the item's result can have, also if the clock was set back during the request. */
function earliestOf(item: Item): number {
  const lastRequestAt = Math.min(item.startedAt ?? 0, unknownSince(item));
  // An earlier request has published the post, at a time that is not stored any more.
  return lastRequestAt - (isDuplicateRefusal(item.reason) ? DUPLICATE_MS : SLACK_MS);
}
