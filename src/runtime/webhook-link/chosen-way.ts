import type { Log } from "../log.ts";
import { accountActivityWay, isRefusal } from "./account-activity-way.ts";
import { type ActivityInterfaceNeeds, activityInterfaceWay } from "./activity-interface-way.ts";
import { BothWays } from "./both-ways.ts";
import type { SubscribingApp, SubscribingClient, SubscriptionOf, SubscriptionWay } from "./ways.ts";

export interface ChosenWayNeeds extends Pick<ActivityInterfaceNeeds, "needed"> {
  readonly app: SubscribingApp;
  readonly log: Log;
  readonly memory: UseMemory;
}

/** Remembers across restarts that the activity interface was used: it may hold subscriptions of this bot. */
export interface UseMemory {
  wasUsed(): Promise<boolean>;
  keep(): Promise<void>;
}

/**
 * Setting `source`: the interface that brings events to the webhook. `webhook`: account activity; `activity`: its
 * successor, the activity interface.
 */
export type WebhookSourceName = "webhook" | "activity" | "both";

/**
 * Returns the way to subscribe accounts that the setting selects. With one interface, subscriptions by the other are
 * ended.
 */
export function chosenWay(source: WebhookSourceName, needs: ChosenWayNeeds): SubscriptionWay {
  const { app, log, memory } = needs;
  const older = accountActivityWay(app);
  if (source === "both") return remembered(new BothWays(older, needs), memory);
  const newer = activityInterfaceWay(needs);
  if (source === "activity") return remembered(insteadOf(older, newer, log), memory);
  const without = insteadOf(newer, older, log);
  return {
    ...without,
    async fill(accounts, webhookId) {
      if (await memory.wasUsed()) await without.fill?.(accounts, webhookId);
    },
  };
}

/** Wraps a way to subscribe by the activity interface: records this use in the store before the first subscription. */
function remembered(way: SubscriptionWay, memory: UseMemory): SubscriptionWay {
  let isNoted = false;
  const note = async (): Promise<void> => {
    if (!isNoted) await memory.keep();
    isNoted = true;
  };
  return {
    ...passedOn(way),
    outlivesAuthorization: true,
    async subscribe(client, subscription) {
      await note();
      await way.subscribe(client, subscription);
    },
    async fill(accounts, webhookId) {
      await note();
      await way.fill?.(accounts, webhookId);
    },
  };
}

/** Wraps `way`: after its subscriptions exist, ends those by `other`, since events without an id would arrive twice. */
function insteadOf(other: SubscriptionWay, way: SubscriptionWay, log: Log): SubscriptionWay {
  const checked = new Set<string>();
  return {
    ...passedOn(way),
    async fill(accounts, webhookId) {
      await way.fill?.(accounts, webhookId);
      // Accounts that the platform has refused so far come with a later call.
      const unchecked = [...accounts.keys()].filter((id) => !checked.has(id));
      if (unchecked.length === 0) return;
      try {
        for (const userId of await other.present(webhookId, unchecked)) {
          await other.unsubscribe({ userId, webhookId });
          log.info({ account: userId }, "subscription in the other interface ended");
        }
      } catch (error) {
        // An interface that the platform has shut down refuses the request: it has no subscriptions to end.
        if (!isRefusal(error)) throw error;
      }
      for (const id of unchecked) checked.add(id);
    },
  };
}

/** Copies the methods of a subscription way into a plain object, in which a wrapper replaces some of them. */
function passedOn(way: SubscriptionWay): SubscriptionWay {
  return {
    subscribers: (webhookId, accounts) => way.subscribers(webhookId, accounts),
    present: (webhookId, accounts) => way.present(webhookId, accounts),
    subscribe: (client, subscription) => way.subscribe(client, subscription),
    unsubscribe: (subscription) => way.unsubscribe(subscription),
    ...(way.verify && {
      verify: (client: SubscribingClient, subscription: SubscriptionOf) =>
        way.verify?.(client, subscription) ?? Promise.resolve(),
    }),
  };
}
