import { faultMet, NOTHING_SENT } from "../kernel/delivery/exchange-log.ts";
import type { MetFault } from "../kernel/delivery/faults.ts";
import type { WebhookResult } from "../kernel/delivery/webhook-sender.ts";
import type { DeliveryRecord, WebhookAttempt } from "../kernel/delivery/delivery-log.ts";
import type { Sandbox } from "../kernel/sandbox.ts";

/** Logs the request to a webhook and its response as an exchange, and the attempt as a delivery. */
export function keepAttempt(
  { exchanges, deliveries, time }: Sandbox,
  result: WebhookResult,
  webhookAttempt: WebhookAttempt,
  { query, met }: { readonly query?: string; readonly met?: MetFault | undefined } = {},
): DeliveryRecord {
  const { status, ms } = result;
  const { app_id, webhook_id, event, for_user_id, attempt, outcome, activity_id } = webhookAttempt;
  const now = time.now();
  const exchange = exchanges.add({
    at: now,
    direction: query === undefined ? "delivery" : "challenge",
    method: query === undefined ? "POST" : "GET",
    url: webhookAttempt.url,
    query: query ?? "",
    status,
    ms,
    request: result.sent ?? NOTHING_SENT,
    response: { headers: result.headers ?? {}, body: result.body },
    about: {
      app_id,
      webhook_id,
      event,
      for_user_id,
      attempt,
      outcome,
      activity_id,
      ...faultMet(met),
    },
  });
  return deliveries.add({
    at: new Date(now).toISOString(),
    ...webhookAttempt,
    status,
    ms,
    exchange,
  });
}
