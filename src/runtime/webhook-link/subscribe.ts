import type { Client } from "../../client/client.ts";
import { PlatformError } from "../../client/errors.ts";

/** Whoever asks tries again by itself, and at its own pace. */
const ONCE = { retry: false } as const;

/**
 * Ids of the users whose events come to a webhook.
 *
 * @throws {PlatformError} when the platform does not say.
 */
export async function subscribers(
  { activity }: Pick<Client<"bearer">, "activity">,
  webhookId: string,
): Promise<ReadonlySet<string>> {
  const { subscriptions } = await activity.list(webhookId, ONCE);
  return new Set(subscriptions.map(({ user_id }) => user_id));
}

/**
 * Has an account's events come to a webhook; a subscription that is there already is success.
 *
 * @throws {PlatformError} when the platform refuses.
 */
export async function subscribe(
  { activity }: Pick<Client<"oauth1">, "activity">,
  webhookId: string,
): Promise<void> {
  try {
    await activity.subscribe(webhookId, ONCE);
  } catch (error) {
    if (!isRefusedAs(error, "DuplicateSubscriptionFailed")) throw error;
  }
}

/**
 * Ends a subscription; one that is not there is success.
 *
 * @throws {PlatformError} when the platform refuses.
 */
export async function unsubscribe(
  { activity }: Pick<Client<"bearer">, "activity">,
  subscription: { readonly webhookId: string; readonly userId: string },
): Promise<void> {
  try {
    await activity.unsubscribe(subscription, ONCE);
  } catch (error) {
    if (!isRefusedAs(error, "SubscriptionNotFound")) throw error;
  }
}

function isRefusedAs(error: unknown, reason: string): boolean {
  return error instanceof PlatformError && error.reason === reason;
}
