import { PlatformError } from "../../client/errors.ts";
import { READ_EVENT_TYPES } from "../../events/activity-event-types.ts";
import type { ActivityEventType } from "../../protocol/activity-event-types.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import { isRefusal, isRefusedAs } from "./account-activity-way.ts";
import type { SubscribingApp, SubscribingClient, SubscriptionOf, SubscriptionWay } from "./ways.ts";

export interface ActivityInterfaceNeeds {
  readonly app: Pick<SubscribingApp, "activitySubscriptions">;
  /** Returns the event types that rules and bots need now. */
  readonly needed: () => ReadonlySet<ActivityEventType>;
  /** Whether an account's events of a type already arrive by another interface. */
  readonly comesElsewhere?: (account: string, type: ActivityEventType) => boolean;
  readonly log: Log;
}

/** Turns off the client's retries, because the caller retries at its own pace. */
const ONCE = { retry: false } as const;
const IDS_PER_REQUEST = 100;
const LISTED_PER_REQUEST = 1000;

/**
 * Real milliseconds before optional subscriptions are tried again, after the plan's limit of subscriptions was reached.
 */
const FULL_FOR_MS = 10 * 60_000;

/** Subscribes accounts by the activity interface: one subscription for each event type of an account. */
export function activityInterfaceWay(needs: ActivityInterfaceNeeds): SubscriptionWay {
  return new ActivityInterfaceWay(needs);
}

/** Subscription in the platform's list. */
interface Listed {
  readonly id: string;
  readonly userId: string;
  readonly eventType: string;
  /** Id of the webhook that receives the subscription's events; undefined if the webhook no longer exists. */
  readonly at: string | undefined;
}

class ActivityInterfaceWay implements SubscriptionWay {
  readonly outlivesAuthorization = true;
  readonly #needs: ActivityInterfaceNeeds;
  /** Ids of the webhook's subscriptions in the platform's latest list, by account and then by event type. */
  #listed: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map();
  /** Ids of subscriptions whose webhook no longer exists, by account and event type. */
  #strays: ReadonlyMap<string, string> = new Map();
  /** Optional event types that the platform refused, by account, for the life of this process. */
  readonly #refused = new Map<string, Set<ActivityEventType>>();
  #fullUntil = 0;

  constructor(needs: ActivityInterfaceNeeds) {
    this.#needs = needs;
  }

  async subscribers(webhookId: string, accounts: readonly string[]): Promise<ReadonlySet<string>> {
    const listed = new Map<string, Map<string, string>>();
    const strays = new Map<string, string>();
    for (const { id, userId, eventType, at } of await this.#list()) {
      const types = listed.get(userId) ?? new Map();
      if (at === webhookId) listed.set(userId, types.set(eventType, id));
      if (at === undefined) strays.set(`${userId} ${eventType}`, id);
    }
    this.#listed = listed;
    this.#strays = strays;
    const hasAll = (id: string): boolean => this.#missing(id, true).length === 0;
    return new Set(accounts.filter(hasAll));
  }

  async present(webhookId: string, accounts: readonly string[]): Promise<ReadonlySet<string>> {
    const all = await this.#list();
    const there = new Set(all.filter(({ at }) => at === webhookId).map(({ userId }) => userId));
    return new Set(accounts.filter((account) => there.has(account)));
  }

  async subscribe(client: SubscribingClient, subscription: SubscriptionOf): Promise<void> {
    for (const type of this.#missing(subscription.userId, true)) {
      await this.#create(client, subscription, type);
    }
  }

  /**
   * Tests the account's tokens by reading its own profile. The list of subscriptions is read with the app's token, so
   * it can't show that the account's tokens have ended.
   */
  async verify({ users }: SubscribingClient): Promise<void> {
    await users.me({}, ONCE);
  }

  async unsubscribe({ webhookId, userId }: SubscriptionOf): Promise<void> {
    const { activitySubscriptions } = this.#needs.app;
    const all = await this.#list();
    const own = all.filter((one) => one.userId === userId && one.at === webhookId);
    for (let from = 0; from < own.length; from += IDS_PER_REQUEST) {
      const ids = own.slice(from, from + IDS_PER_REQUEST).map(({ id }) => id);
      await activitySubscriptions.deleteMany(ids, ONCE);
    }
    this.#refused.delete(userId);
  }

  async fill(accounts: ReadonlyMap<string, SubscribingClient>, webhookId: string): Promise<void> {
    for (const [userId, client] of accounts) {
      await this.#endSurplus(userId);
      for (const type of this.#missing(userId, false)) {
        if (performance.now() < this.#fullUntil) return;
        if (this.#refused.get(userId)?.has(type) === true) continue;
        if (!(await this.#tryToCreate(client, { userId, webhookId }, type))) return;
      }
    }
  }

  /** Ends subscriptions whose events also arrive by another interface: they would arrive twice. */
  async #endSurplus(account: string): Promise<void> {
    const { app, comesElsewhere = () => false } = this.#needs;
    const has = this.#listed.get(account);
    const surplus = READ_EVENT_TYPES.filter(
      (type) => has?.has(type) && comesElsewhere(account, type),
    );
    const ids = surplus.flatMap((type) => has?.get(type) || []);
    if (ids.length === 0) return;
    await app.activitySubscriptions.deleteMany(ids, ONCE);
    const rest = new Map([...(has ?? [])].filter(([, id]) => !ids.includes(id)));
    this.#listed = new Map(this.#listed).set(account, rest);
  }

  /** Creates an optional subscription. A refusal is only logged. Returns false if further ones have to wait. */
  async #tryToCreate(
    client: SubscribingClient,
    subscription: SubscriptionOf,
    type: ActivityEventType,
  ): Promise<boolean> {
    const { log } = this.#needs;
    const { userId: account } = subscription;
    try {
      await this.#create(client, subscription, type);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (!isRefusal(error)) return false;
      const reason = messageOf(error);
      if (isRefusedAs(error, "SubscriptionLimitExceeded")) {
        if (this.#fullUntil === 0)
          log.info(
            { account, type, reason },
            "optional event type not subscribed: the plan's subscriptions are used up",
          );
        this.#fullUntil = performance.now() + FULL_FOR_MS;
        return false;
      }
      const refused = this.#refused.get(account) ?? new Set();
      this.#refused.set(account, refused.add(type));
      log.info(
        { account, type, reason },
        "optional event type not subscribed: the platform refused it",
      );
    }
    return true;
  }

  async #create(
    client: SubscribingClient,
    { userId, webhookId }: SubscriptionOf,
    eventType: ActivityEventType,
  ): Promise<void> {
    const id = await this.#idOf(client, { userId, webhookId }, eventType);
    const types = new Map(this.#listed.get(userId)).set(eventType, id);
    this.#listed = new Map(this.#listed).set(userId, types);
  }

  /**
   * Creates a subscription, or moves one whose webhook no longer exists to this webhook. Returns its id; empty if the
   * platform already has the subscription, under an id that is unknown here.
   */
  async #idOf(
    client: SubscribingClient,
    { userId, webhookId }: SubscriptionOf,
    eventType: ActivityEventType,
  ): Promise<string> {
    const { activitySubscriptions } = this.#needs.app;
    const stray = this.#strays.get(`${userId} ${eventType}`);
    try {
      const creation =
        stray === undefined
          ? client.activitySubscriptions.create({ eventType, userId, webhookId }, ONCE)
          : activitySubscriptions.update(stray, { webhookId }, ONCE);
      return (await creation).subscription_id;
    } catch (error) {
      if (!isRefusedAs(error, "DuplicateSubscriptionFailed")) throw error;
      return "";
    }
  }

  /** Returns event types for which an account lacks a subscription: needed types if `isNeeded`, else optional types. */
  #missing(account: string, isNeeded: boolean): ActivityEventType[] {
    const { needed, comesElsewhere = () => false } = this.#needs;
    const has = this.#listed.get(account);
    const wanted = needed();
    return READ_EVENT_TYPES.filter(
      (type) =>
        wanted.has(type) === isNeeded && has?.has(type) !== true && !comesElsewhere(account, type),
    );
  }

  /**
   * Lists the subscriptions that bring all events of their type. A subscription for one direction or keyword was
   * created by another program.
   */
  async #list(): Promise<readonly Listed[]> {
    const { activitySubscriptions } = this.#needs.app;
    const listed: Listed[] = [];
    const all = activitySubscriptions.list({ maxResults: LISTED_PER_REQUEST }, ONCE);
    for await (const { subscription_id: id, event_type: eventType, filter, webhook_id } of all) {
      const { user_id: userId, direction, keyword } = filter;
      if (userId === undefined || direction !== undefined || keyword !== undefined) continue;
      listed.push({ id, userId, eventType, at: webhook_id });
    }
    return listed;
  }
}
