import * as z from "zod";
import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { Store } from "../store/store.ts";

/** Subscription that exists, or was just created. */
export interface StandingSubscription {
  /** User id. */
  readonly account: string;
  readonly webhookId: string;
  /** Whether the subscription was created just now. */
  readonly isNew: boolean;
  /** Time at which the subscription was seen or created, in milliseconds since the epoch by the platform's clock. */
  readonly at: number;
}

/**
 * Remembers, across restarts, since when each account has been subscribed to the current webhook. A replay brings no
 * events from before the subscription.
 */
export interface SubscriptionAges {
  /** Loads the ages that an earlier process stored. */
  load(): Promise<void>;
  /** Records that a subscription exists. What could not be stored is stored by the next call. */
  stands(subscription: StandingSubscription): void;
  /** Time since which an account is surely subscribed, in milliseconds since the epoch; undefined if unknown. */
  since(account: string): number | undefined;
  stop(): Promise<void>;
}

const ages = z.record(z.string(), z.object({ webhookId: z.string(), since: z.number() }));

const NAME = "webhook-link/ages";

/** Creates an empty memory; `load` fills it from the store. */
export function subscriptionAges(needs: {
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  readonly log: Log;
}): SubscriptionAges {
  const { store, log } = needs;
  const byAccount = new Map<string, { readonly webhookId: string; readonly since: number }>();
  const logFault = throttle(LOG_EVERY_MS, (error: unknown) =>
    log.error({ err: error }, "the start times of subscriptions could not be stored"),
  );
  let isToWrite = false;
  let isStored = true;
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    isToWrite = false;
    try {
      await store.setMeta(NAME, JSON.stringify(Object.fromEntries(byAccount)));
      isStored = true;
    } catch (error) {
      isStored = false;
      logFault(error);
    }
  };
  return {
    async load() {
      const text = await store.getMeta(NAME);
      const stored = text === undefined ? {} : ages.parse(JSON.parse(text));
      for (const [account, age] of Object.entries(stored)) byAccount.set(account, age);
    },
    stands({ account, webhookId, isNew, at }) {
      const age = byAccount.get(account);
      // If the stored time of creation is later than `at`, the clock was set back.
      const isSame = age?.webhookId === webhookId && age.since <= at;
      const isKnown = isSame && !isNew;
      if (isKnown && isStored) return;
      if (!isKnown) byAccount.set(account, { webhookId, since: at });
      // Subscriptions recorded before the write begins are written together.
      if (isToWrite) return;
      isToWrite = true;
      writing = writing.then(write);
    },
    since: (account) => byAccount.get(account)?.since,
    stop: () => writing,
  };
}
