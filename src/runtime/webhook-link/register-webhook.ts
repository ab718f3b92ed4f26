import type { Client } from "../../client/client.ts";
import { PlatformError } from "../../client/errors.ts";
import type { Log } from "../log.ts";

/** Webhook that is registered with the platform. */
export interface RegisteredWebhook {
  readonly id: string;
  /** Whether the platform's latest challenge was answered. */
  readonly valid: boolean;
}

export interface RegistrationNeeds {
  /** Client with the app's own credentials. */
  readonly app: Pick<Client<"bearer">, "webhooks">;
  /** Public https URL of the webhook. */
  readonly url: string;
  readonly log: Log;
}

/** Turns off the client's retries, because the caller retries at its own pace. */
const ONCE = { retry: false } as const;

/**
 * Fetches the webhook of the URL from the platform; undefined if it is not registered.
 *
 * @throws {PlatformError} if the platform does not answer.
 */
export async function findWebhook({
  app,
  url,
}: Pick<RegistrationNeeds, "app" | "url">): Promise<RegisteredWebhook | undefined> {
  return (await app.webhooks.list(ONCE)).find((webhook) => webhook.url === url);
}

/**
 * Registers the webhook if it is not registered; otherwise requests a new challenge for it.
 *
 * Webhooks of other URLs are left alone: they may belong to another deployment, or to another app.
 *
 * @param existing Result of {@link findWebhook}.
 * @throws {PlatformError} if the webhook can't be registered.
 */
export async function mendWebhook(
  needs: RegistrationNeeds,
  existing: RegisteredWebhook | undefined,
): Promise<RegisteredWebhook> {
  const { app, url, log } = needs;
  if (existing !== undefined) {
    const { valid } = await app.webhooks.validate(existing.id, ONCE);
    if (valid !== undefined) return { id: existing.id, valid };
    return (await findWebhook(needs)) ?? existing;
  }
  try {
    const webhook = await app.webhooks.create(url, ONCE);
    log.info({ webhook: webhook.id, url }, "webhook registered");
    return webhook;
  } catch (error) {
    // Another process of this bot was faster, or an earlier attempt succeeded and its response was lost.
    if (!(error instanceof PlatformError) || error.reason !== "DuplicateUrlFailed") throw error;
    const other = await findWebhook(needs);
    if (other === undefined) throw error;
    return other;
  }
}
