import type { Client, WebhookConfig } from "../../client/client.ts";
import type { Log } from "../log.ts";
import type { SubscriptionWay } from "./ways.ts";

/** Another webhook of the app that also receives an account's events. */
export interface OtherWebhook {
  /** User id. */
  readonly account: string;
  readonly id: string;
  readonly url: string;
  /** Whether the other webhook is older: it was valid while this instance had not registered its own yet. */
  readonly wasFirst: boolean;
}

export interface OtherWebhooksNeeds {
  readonly app: Pick<Client<"bearer">, "webhooks">;
  readonly way: Pick<SubscriptionWay, "present">;
  readonly url: string;
  readonly log: Log;
  /** Returns the number of challenges that have arrived at this bot so far. */
  readonly challenges: () => number;
  /**
   * Resolves once this process knows the requests that others have received so far. Absent: this is the only process.
   */
  readonly otherReports?: (() => Promise<void>) | undefined;
  readonly onOther: (other: OtherWebhook) => Promise<void>;
}

/** Looks for webhooks of other instances among the app's webhooks. Never rejects. @param accounts User ids. */
export type LookForOthers = (
  webhooks: readonly WebhookConfig[],
  accounts: readonly string[],
) => Promise<void>;

const ONCE = { retry: false } as const;

/**
 * Finds other webhooks of the app that receive the events of the same accounts.
 *
 * Each such webhook is challenged once. If no server answers, or the challenge arrives at this bot, the webhook does
 * not belong to another instance.
 */
export function otherWebhooks(needs: OtherWebhooksNeeds): LookForOthers {
  const { app, way, url, log, challenges, otherReports, onOther } = needs;
  /** Whether another machine answers the challenges of a webhook, by its id. */
  const isServed = new Map<string, boolean>();
  /** Ids of valid webhooks that the app had while it had none of this instance. */
  const older = new Set<string>();

  const challenge = async (id: string): Promise<boolean> => {
    const before = challenges();
    const { valid } = await app.webhooks.validate(id, ONCE);
    await otherReports?.();
    return valid === true && challenges() === before;
  };
  return async (webhooks, accounts) => {
    const isRegistered = webhooks.some((webhook) => webhook.url === url);
    for (const { id, url: theirs, valid } of webhooks) {
      if (theirs === url || !valid || isServed.get(id) === false) continue;
      // Remembered, because the platform or the store may fail before the other webhook is recorded.
      if (!isRegistered) older.add(id);
      try {
        const subscribed = await way.present(id, accounts);
        if (subscribed.size === 0) continue;
        isServed.set(id, isServed.get(id) ?? (await challenge(id)));
        if (isServed.get(id) !== true) continue;
        const wasFirst = older.has(id);
        for (const account of subscribed) await onOther({ account, id, url: theirs, wasFirst });
      } catch (error) {
        log.warn(
          { err: error, webhook: id },
          "the check whether another instance uses this webhook failed",
        );
      }
    }
  };
}
