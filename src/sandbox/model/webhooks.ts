import * as z from "zod";
import { isPublicHost } from "../../system/public-host.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { instant, ruled } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import type { AppRow } from "./apps.ts";

const webhookSchema = z.strictObject({
  id: z.string(),
  appId: z.string(),
  url: ruled(webhookUrlFault),
  valid: z.boolean(),
  createdAt: instant,
  /** Time of the next scheduled challenge, which checks the webhook. */
  nextCheckAt: instant,
});

/** A registered callback URL of an app. */
export type WebhookRow = z.infer<typeof webhookSchema>;

export const webhookTable = defineTable({
  name: "webhooks",
  schema: webhookSchema,
  key: (row) => row.id,
  indexes: { app: (row) => row.appId },
});

/** Finds a webhook. @throws {ApiError} `WebhookIdInvalid` unless the webhook belongs to the app. */
export function findWebhook({ world }: Sandbox, app: AppRow, id: string): WebhookRow {
  const webhook = webhookTable.in(world).get(id);
  if (webhook !== undefined && webhook.appId === app.id) return webhook;
  throw ApiError.reason("WebhookIdInvalid", `No webhook ${id} is associated with this app.`);
}

const MAX_CHARACTERS = 200;

/**
 * Returns why `url` is not accepted as a webhook, or `undefined` if it is.
 *
 * Checks the parsed URL, because deliveries go to that URL. The text must equal the parsed URL, so that lists of
 * webhooks show the URL that is called.
 */
export function webhookUrlFault(url: unknown): string | undefined {
  if (typeof url !== "string" || url === "") return "The body needs a `url` string.";
  if (url.length > MAX_CHARACTERS) return `The URL is longer than ${MAX_CHARACTERS} characters.`;
  const parsed = URL.parse(url);
  if (parsed === null) return "The URL is not well formed.";
  const { protocol, hostname, port, username, password, origin, pathname, search } = parsed;
  if (protocol !== "https:") return "The URL must use https.";
  // Parsing drops the default port 443, so the text is checked, too.
  if (port !== "" || /^https:\/\/[^/?#]*:\d*(?=[/?#]|$)/i.test(url))
    return "The URL must not name a port.";
  if (username !== "" || password !== "") return "The URL must not hold credentials.";
  if (url.includes("#")) return "The URL must not hold a fragment.";
  if (!isPublicHost(hostname)) return `The host ${hostname} is not publicly reachable.`;
  const withoutPath = pathname === "/" ? origin + search : undefined;
  if (url === parsed.href || url === withoutPath) return undefined;
  return `The URL is not normalized. Write ${parsed.href}`;
}
