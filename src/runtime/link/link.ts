import type { Client } from "../../client/client.ts";
import { PlatformError } from "../../client/errors.ts";
import type { Log } from "../log.ts";

/** A bot account as the link knows it. */
export interface SubscribedAccount {
  readonly id: string;
  readonly username: string;
  readonly client: Client<"oauth1">;
}

export interface LinkNeeds {
  /** The app's own client. */
  readonly app: Client<"bearer">;
  /** Public https URL of the webhook. */
  readonly url: string;
  readonly accounts: readonly SubscribedAccount[];
  readonly log: Log;
}

/** Webhook and subscriptions as they stand. */
export interface Link {
  readonly webhookId: string;
  /** The platform's word on its latest challenge. */
  readonly valid: boolean;
  /** Ids of the accounts whose events come. */
  readonly subscribed: ReadonlySet<string>;
  /** Why an account's events don't come, by account id. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Registers the webhook and subscribes every account; what is there already is success.
 *
 * Webhooks of other URLs are left alone: they may be another deployment's.
 *
 * @throws {PlatformError} when the webhook can't be registered.
 */
export async function establishLink(needs: LinkNeeds): Promise<Link> {
  const webhook = await registerWebhook(needs);
  const subscribed = new Set<string>();
  const refused = new Map<string, string>();
  for (const account of needs.accounts) {
    try {
      await subscribe(account, webhook.id);
      subscribed.add(account.id);
      needs.log.info({ account: account.username, webhook: webhook.id }, "subscribed");
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      refused.set(account.id, error.message);
      needs.log.error({ account: account.username, reason: error.message }, "not subscribed");
    }
  }
  return { webhookId: webhook.id, valid: webhook.valid, subscribed, refused };
}

interface RegisteredWebhook {
  readonly id: string;
  readonly valid: boolean;
}

async function registerWebhook({ app, url, log }: LinkNeeds): Promise<RegisteredWebhook> {
  const known = (await app.webhooks.list()).find((webhook) => webhook.url === url);
  if (known?.valid === true) return known;
  if (known !== undefined) {
    log.warn({ webhook: known.id }, "the webhook had become invalid; asking for a new challenge");
    const { valid } = await app.webhooks.validate(known.id);
    return { id: known.id, valid: valid ?? true };
  }
  try {
    const made = await app.webhooks.create(url);
    log.info({ webhook: made.id, url }, "webhook registered");
    return made;
  } catch (error) {
    // Another process of ours was quicker, or an earlier attempt got through without our hearing of it.
    if (!(error instanceof PlatformError) || error.reason !== "DuplicateUrlFailed") throw error;
    const other = (await app.webhooks.list()).find((webhook) => webhook.url === url);
    if (other === undefined) throw error;
    return other;
  }
}

async function subscribe({ client }: SubscribedAccount, webhookId: string): Promise<void> {
  if (await client.activity.isSubscribed(webhookId)) return;
  try {
    await client.activity.subscribe(webhookId);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.reason !== "DuplicateSubscriptionFailed")
      throw error;
  }
}
