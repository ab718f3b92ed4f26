import type { Client } from "../../client/client.ts";
import { PlatformError } from "../../client/errors.ts";

/**
 * Has an account's events come to a webhook; a subscription that is there already is success.
 *
 * @throws {PlatformError} when the platform refuses.
 */
export async function subscribe(
  { activity }: Pick<Client<"oauth1">, "activity">,
  webhookId: string,
): Promise<void> {
  if (await activity.isSubscribed(webhookId)) return;
  try {
    await activity.subscribe(webhookId);
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
    await activity.unsubscribe(subscription);
  } catch (error) {
    if (!isRefusedAs(error, "SubscriptionNotFound")) throw error;
  }
}

function isRefusedAs(error: unknown, reason: string): boolean {
  return error instanceof PlatformError && error.reason === reason;
}
