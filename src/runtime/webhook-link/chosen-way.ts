import type { Log } from "../log.ts";
import { accountActivityWay } from "./account-activity-way.ts";
import { type ActivityInterfaceNeeds, activityInterfaceWay } from "./activity-interface-way.ts";
import { BothWays, isRefusal } from "./both-ways.ts";
import type { SubscribingApp, SubscribingClient, SubscriptionOf, SubscriptionWay } from "./ways.ts";

export interface ChosenWayNeeds extends Pick<ActivityInterfaceNeeds, "needed"> {
  readonly app: SubscribingApp;
  readonly log: Log;
  readonly memory: UseMemory;
}

/** Remembers across restarts whether the activity interface may hold subscriptions of this bot. */
export interface UseMemory {
  wasUsed(): Promise<boolean>;
  keep(isUsed: boolean): Promise<void>;
}

/**
 * Setting `source`: the interface that brings events to the webhook. `webhook`: account activity; `activity`: its
 * successor, the activity interface.
 */
export type WebhookSourceName = "webhook" | "activity" | "both";

/**
 * Returns the way to subscribe accounts for a setting. If it is one interface, it ends subscriptions by the other one.
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
      if (!(await memory.wasUsed())) return;
      await without.fill?.(accounts, webhookId);
      await memory.keep(false);
    },
  };
}

/** Wraps a way that uses the activity interface: stores that it is used before it creates a subscription. */
function remembered(way: SubscriptionWay, memory: UseMemory): SubscriptionWay {
  let isNoted = false;
  const note = async (): Promise<void> => {
    if (!isNoted) await memory.keep(true);
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

/** Wraps `way` to end subscriptions by `other` after its own are created: events without an id would arrive twice. */
function insteadOf(other: SubscriptionWay, way: SubscriptionWay, log: Log): SubscriptionWay {
  let isOver = false;
  return {
    ...passedOn(way),
    async fill(accounts, webhookId) {
      await way.fill?.(accounts, webhookId);
      if (isOver) return;
      try {
        for (const userId of await other.present(webhookId, [...accounts.keys()])) {
          await other.unsubscribe({ userId, webhookId });
          log.info({ account: userId }, "subscription in the other interface ended");
        }
      } catch (error) {
        // An interface that was shut down refuses: there is nothing to end then.
        if (!isRefusal(error)) throw error;
      }
      isOver = true;
    },
  };
}

/** Copies the methods of a way into a plain object, in which a wrapper replaces some of them. */
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
