import { PlatformError, RateLimitError } from "../../client/errors.ts";
import type { SubscribingApp, SubscriptionWay } from "./ways.ts";

/** Turns off the client's retries, because the caller retries at its own pace. */
const ONCE = { retry: false } as const;

/** Subscribes accounts by account activity: one subscription brings all events of an account. */
export function accountActivityWay({
  activity,
}: Pick<SubscribingApp, "activity">): SubscriptionWay {
  const subscribers: SubscriptionWay["subscribers"] = async (webhookId, accounts) => {
    const { subscriptions } = await activity.list(webhookId, ONCE);
    const listed = new Set(subscriptions.map(({ user_id }) => user_id));
    return new Set(accounts.filter((account) => listed.has(account)));
  };
  return {
    subscribers,
    present: subscribers,
    async subscribe(client, { webhookId }) {
      try {
        await client.activity.subscribe(webhookId, ONCE);
      } catch (error) {
        if (!isRefusedAs(error, "DuplicateSubscriptionFailed")) throw error;
      }
    },
    async verify(client, { webhookId }) {
      await client.activity.isSubscribed(webhookId, ONCE);
    },
    async unsubscribe(subscription) {
      try {
        await activity.unsubscribe(subscription, ONCE);
      } catch (error) {
        if (!isRefusedAs(error, "SubscriptionNotFound")) throw error;
      }
    },
  };
}

/** Whether the platform refused a request with this reason, such as `DuplicateSubscriptionFailed`. */
export function isRefusedAs(error: unknown, reason: string): error is PlatformError {
  return error instanceof PlatformError && error.reason === reason;
}

/** Whether an error is a lasting refusal: rate limits, server errors and pages of a firewall are temporary. */
export function isRefusal(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError) || error instanceof RateLimitError) return false;
  return error.status < 500 && !error.isFromProxy;
}
