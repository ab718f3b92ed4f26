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

/** Whoever asks tries again by itself, and at its own pace. */
const ONCE = { retry: false } as const;

/**
 * The webhook of the URL, as the platform has it now; undefined where it has none.
 *
 * @throws {PlatformError} when the platform does not say.
 */
export async function findWebhook({
  app,
  url,
}: Pick<RegistrationNeeds, "app" | "url">): Promise<RegisteredWebhook | undefined> {
  return (await app.webhooks.list(ONCE)).find((webhook) => webhook.url === url);
}

/**
 * Registers the webhook where the platform has none; else has it challenged anew.
 *
 * Webhooks of other URLs are left alone: they may be another deployment's, or another app's.
 *
 * @param known What the platform has of it, as {@link findWebhook} found it.
 * @throws {PlatformError} when the webhook can't be registered.
 */
export async function mendWebhook(
  needs: RegistrationNeeds,
  known: RegisteredWebhook | undefined,
): Promise<RegisteredWebhook> {
  const { app, url, log } = needs;
  if (known !== undefined) {
    const { valid } = await app.webhooks.validate(known.id, ONCE);
    if (valid !== undefined) return { id: known.id, valid };
    return (await findWebhook(needs)) ?? known;
  }
  try {
    const made = await app.webhooks.create(url, ONCE);
    log.info({ webhook: made.id, url }, "webhook registered");
    return made;
  } catch (error) {
    // Another process of ours was quicker, or an earlier attempt got through and its answer was lost.
    if (!(error instanceof PlatformError) || error.reason !== "DuplicateUrlFailed") throw error;
    const other = await findWebhook(needs);
    if (other === undefined) throw error;
    return other;
  }
}
