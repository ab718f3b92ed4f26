import { z } from "zod";
import { dataOf } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP, type Endpoints } from "../http/endpoint.ts";

const Config = z.object({
  id: z.string(),
  url: z.string(),
  valid: z.boolean(),
  created_at: z.string(),
});
const Deleted = z.object({ deleted: z.boolean() });
/** The live service may send only `attempted`, without the documented `valid`. */
const Validated = z.object({ valid: z.boolean().optional(), attempted: z.boolean().optional() });

/** A registered webhook; `valid` is the result of its latest challenge. */
export type WebhookConfig = z.infer<typeof Config>;

/** Result of a webhook's validation. */
export type WebhookValidation = z.infer<typeof Validated>;

/** Webhooks: register, list, validate, delete. Accepts only the app's bearer token. */
export interface WebhooksMethods {
  /**
   * Registers a public https URL without a port. The platform sends a challenge to the URL before it responds to the
   * call.
   *
   * @throws PlatformError with reason `CrcValidationFailed`, `UrlValidationFailed`, `DuplicateUrlFailed` or `WebhookLimitExceeded`
   */
  create(url: string, options?: CallOptions): Promise<WebhookConfig>;
  /** The app's webhooks. */
  list(options?: CallOptions): Promise<readonly WebhookConfig[]>;
  /**
   * Makes the platform challenge the URL now. The call may succeed although the challenge fails: read `valid`, or list
   * the webhooks.
   *
   * @throws PlatformError with reason `WebhookIdInvalid` or `CrcValidationFailed`
   */
  validate(webhookId: string, options?: CallOptions): Promise<WebhookValidation>;
  /** Removes a webhook. @throws PlatformError with reason `WebhookIdInvalid` */
  delete(webhookId: string, options?: CallOptions): Promise<{ deleted: boolean }>;
}

/** Endpoints of the webhook methods. */
export const WEBHOOKS = {
  create: { method: "POST", path: "/2/webhooks", takes: APP },
  list: { method: "GET", path: "/2/webhooks", takes: APP },
  validate: { method: "PUT", path: "/2/webhooks/:webhook_id", takes: APP },
  delete: { method: "DELETE", path: "/2/webhooks/:webhook_id", takes: APP },
} as const satisfies Endpoints<WebhooksMethods>;

/** Creates the methods of webhooks, which send their requests through `caller`. */
export function webhooks(caller: Caller): WebhooksMethods {
  return {
    create: async (url, options) =>
      dataOf(await caller.call(WEBHOOKS.create, { json: { url } }, options), Config),
    list: async (options) => {
      const answer = await caller.call(WEBHOOKS.list, {}, options);
      const { data, errors } = answer.body;
      return data === undefined && errors === undefined ? [] : dataOf(answer, z.array(Config));
    },
    validate: async (webhookId, options) => {
      const input = { path: { webhook_id: webhookId } };
      return dataOf(await caller.call(WEBHOOKS.validate, input, options), Validated);
    },
    delete: async (webhookId, options) => {
      const input = { path: { webhook_id: webhookId } };
      return dataOf(await caller.call(WEBHOOKS.delete, input, options), Deleted);
    },
  };
}
