import type { DeliveryWatch } from "./catchup/delivery-watch.ts";
import type { WebhookLink } from "./webhook-link/link.ts";

/**
 * Whose deliveries come, as the link knows it, with losses that begin no later than the last thing that
 * came from the platform: that the platform calls the webhook valid does not prove that it reaches us.
 *
 * @param startedAt When this process began to listen, in milliseconds since the epoch.
 */
export function provenDeliveries(
  link: Pick<WebhookLink, "onReachable" | "status">,
  startedAt: number,
): DeliveryWatch {
  return {
    onReachable: (listener) =>
      link.onReachable((change) => {
        const { lastChallengeAt = startedAt, lastDeliveryAt = startedAt } = link.status().arrivals;
        const proven = Math.max(lastChallengeAt, lastDeliveryAt);
        listener(change.reachable ? change : { ...change, since: Math.min(change.since, proven) });
      }),
  };
}
