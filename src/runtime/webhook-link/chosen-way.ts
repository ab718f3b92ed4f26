import type { Log } from "../log.ts";
import { accountActivityWay } from "./account-activity-way.ts";
import { type ActivityInterfaceNeeds, activityInterfaceWay } from "./activity-interface-way.ts";
import { BothWays, isRefusal } from "./both-ways.ts";
import type { SubscribingApp, SubscriptionWay } from "./ways.ts";

export interface ChosenWayNeeds extends Pick<ActivityInterfaceNeeds, "needed"> {
  readonly app: SubscribingApp;
  readonly log: Log;
  readonly memory: UseMemory;
}

/** Remembers over restarts whether the activity interface may hold subscriptions of this bot. */
export interface UseMemory {
  wasUsed(): Promise<boolean>;
  keep(isUsed: boolean): Promise<void>;
}

/** What the settings say of how events come to the webhook: by account activity, its successor, or both. */
export type WebhookSourceName = "webhook" | "activity" | "both";

/** The interface by which accounts are subscribed, as the settings name it. */
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

/** Notes that the activity interface is used before it is. */
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

/** Ends what the other interface still brings, once this one does: what has no id would come twice. */
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
          log.info({ account: userId }, "no longer subscribed by the other interface");
        }
      } catch (error) {
        // An interface that has ended refuses: then there is nothing to end.
        if (!isRefusal(error)) throw error;
      }
      isOver = true;
    },
  };
}

/** The methods of a way, as an object of its own. */
function passedOn(way: SubscriptionWay): SubscriptionWay {
  return {
    subscribers: (webhookId, accounts) => way.subscribers(webhookId, accounts),
    present: (webhookId, accounts) => way.present(webhookId, accounts),
    subscribe: (client, subscription) => way.subscribe(client, subscription),
    unsubscribe: (subscription) => way.unsubscribe(subscription),
  };
}
