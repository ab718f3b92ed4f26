import { hasOwnId } from "../../events/activity-event-types.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import { isRefusal } from "./account-activity-way.ts";
import { type ActivityInterfaceNeeds, activityInterfaceWay } from "./activity-interface-way.ts";
import type { SubscribingClient, SubscriptionOf, SubscriptionWay } from "./ways.ts";

/** Real milliseconds before an interface that refused an account is tried again. */
const REFUSED_FOR_MS = 10 * 60_000;

/**
 * Subscribes each account by both interfaces. If one interface refuses the account, the other is enough. Events without
 * an id can't be deduplicated, so the activity interface does not bring them while account activity accepts the
 * account.
 */
export class BothWays implements SubscriptionWay {
  readonly outlivesAuthorization = true;
  readonly #log: Log;
  readonly #older: SubscriptionWay;
  readonly #newer: SubscriptionWay;
  /** Monotonic times of the next tries, by interface and by account that the interface refused. */
  readonly #refused = new Map<SubscriptionWay, Map<string, number>>();

  constructor(older: SubscriptionWay, needs: ActivityInterfaceNeeds) {
    this.#log = needs.log;
    this.#older = older;
    this.#newer = activityInterfaceWay({
      ...needs,
      comesElsewhere: (account, type) => !hasOwnId(type) && !this.#isRefused(this.#older, account),
    });
  }

  async subscribers(webhookId: string, accounts: readonly string[]): Promise<ReadonlySet<string>> {
    const ways = [this.#older, this.#newer];
    const byWay: ReadonlySet<string>[] = [];
    // In sequence: the newer interface takes over accounts that the older one refuses.
    for (const way of ways) {
      const some = await this.#askedFor(way, webhookId, accounts);
      for (const account of some) this.#refused.get(way)?.delete(account);
      byWay.push(some);
    }
    const comes = (account: string): boolean =>
      ways.every(
        (way, index) => byWay[index]?.has(account) === true || this.#isRefused(way, account),
      );
    const isRefused = (account: string): boolean =>
      ways.every((way) => this.#isRefused(way, account));
    return new Set(accounts.filter((account) => comes(account) && !isRefused(account)));
  }

  async #askedFor(
    way: SubscriptionWay,
    webhookId: string,
    accounts: readonly string[],
  ): Promise<ReadonlySet<string>> {
    try {
      return await way.subscribers(webhookId, accounts);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      for (const account of accounts) this.#refuse(way, account, error);
      return new Set();
    }
  }

  /** @throws {PlatformError} if both interfaces refuse the account; it is the error from account activity. */
  async subscribe(client: SubscribingClient, subscription: SubscriptionOf): Promise<void> {
    const { userId } = subscription;
    const errors: unknown[] = [];
    const ways = [this.#older, this.#newer];
    for (const way of ways) {
      try {
        await way.subscribe(client, subscription);
        this.#refused.get(way)?.delete(userId);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        errors.push(error);
        this.#refuse(way, userId, error);
      }
    }
    if (errors.length === ways.length) throw errors[0];
  }

  async present(webhookId: string, accounts: readonly string[]): Promise<ReadonlySet<string>> {
    const ways = [this.#older, this.#newer];
    const sets = await Promise.all(ways.map((way) => way.present(webhookId, accounts)));
    return new Set(sets.flatMap((some) => [...some]));
  }

  async verify(client: SubscribingClient, subscription: SubscriptionOf): Promise<void> {
    const way = this.#isRefused(this.#older, subscription.userId) ? this.#newer : this.#older;
    await way.verify?.(client, subscription);
  }

  async unsubscribe(subscription: SubscriptionOf): Promise<void> {
    for (const way of [this.#older, this.#newer]) {
      await way.unsubscribe(subscription).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
      this.#refused.get(way)?.delete(subscription.userId);
    }
  }

  async fill(accounts: ReadonlyMap<string, SubscribingClient>, webhookId: string): Promise<void> {
    for (const [userId, client] of accounts) await this.#askAgain(client, { userId, webhookId });
    const accepted = [...accounts].filter(([account]) => !this.#isRefused(this.#newer, account));
    await this.#newer.fill?.(new Map(accepted), webhookId);
  }

  /** Subscribes an account again by an interface that refused it, once {@link REFUSED_FOR_MS} have passed. */
  async #askAgain(client: SubscribingClient, subscription: SubscriptionOf): Promise<void> {
    const { userId } = subscription;
    for (const way of [this.#older, this.#newer]) {
      if (performance.now() < (this.#refused.get(way)?.get(userId) ?? Infinity)) continue;
      try {
        await way.subscribe(client, subscription);
        this.#refused.get(way)?.delete(userId);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.#refuse(way, userId, error);
      }
    }
  }

  #isRefused(way: SubscriptionWay, account: string): boolean {
    return this.#refused.get(way)?.has(account) === true;
  }

  #refuse(way: SubscriptionWay, account: string, error: unknown): void {
    const untold = this.#refused.get(way)?.has(account) !== true;
    const until = performance.now() + REFUSED_FOR_MS;
    this.#refused.set(way, (this.#refused.get(way) ?? new Map()).set(account, until));
    if (!untold) return;
    const by = way === this.#older ? "account activity" : "the activity interface";
    this.#log.warn({ account, reason: messageOf(error) }, `${by} refused the subscription`);
  }
}
