import type { Client } from "../../client/client.ts";
import { PlatformError } from "../../client/errors.ts";
import type { Log } from "../log.ts";

/** A webhook as the platform has it. */
export interface RegisteredWebhook {
  readonly id: string;
  /** Whether the platform's latest challenge was answered. */
  readonly valid: boolean;
}

export interface RegistrationNeeds {
  /** The app's own client. */
  readonly app: Pick<Client<"bearer">, "webhooks">;
  /** Public https URL of the webhook. */
  readonly url: string;
  readonly log: Log;
}

/**
 * Registers the webhook; one that is there already is success, and is challenged anew when the
 * platform holds it for invalid.
 *
 * Webhooks of other URLs are left alone: they may be another deployment's.
 *
 * @throws {PlatformError} when the webhook can't be registered.
 */
export async function registerWebhook({
  app,
  url,
  log,
}: RegistrationNeeds): Promise<RegisteredWebhook> {
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
    // Another process of ours was quicker, or an earlier attempt got through and its answer was lost.
    if (!(error instanceof PlatformError) || error.reason !== "DuplicateUrlFailed") throw error;
    const other = (await app.webhooks.list()).find((webhook) => webhook.url === url);
    if (other === undefined) throw error;
    return other;
  }
}
