import type { DeliveryChange, DeliveryWatch } from "./catchup/delivery-watch.ts";
import type { Clock } from "./clock/clock.ts";
import type { RuntimeEventFeed } from "./runtime-events.ts";
import type { WebhookLinkStatus } from "./webhook-link/webhook-link.ts";

export interface ReachableAccountsNeeds {
  readonly link: { status(): WebhookLinkStatus };
  readonly events: Pick<RuntimeEventFeed, "subscribe">;
  readonly clock: Clock;
}

/** Whose deliveries come, by what the link knows of webhook and subscriptions. */
export function reachableAccounts({ link, events, clock }: ReachableAccountsNeeds): DeliveryWatch {
  return {
    onReachable(listener) {
      const known = new Set<string>();
      const tell = (account: string, reachable: boolean): void => {
        if (reachable) known.add(account);
        else known.delete(account);
        const change: DeliveryChange = { account, reachable, since: clock.now() };
        listener(reachable ? change : { ...change, reason: "its events do not come" });
      };
      const look = (): void => {
        const { valid, subscribed } = link.status();
        const now = valid ? subscribed : new Set<string>();
        for (const account of now) if (!known.has(account)) tell(account, true);
        for (const account of known) if (!now.has(account)) tell(account, false);
      };
      look();
      return events.subscribe(({ type }) => {
        if (type.startsWith("link-")) look();
      });
    },
  };
}
