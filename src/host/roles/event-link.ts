import type { BotParts } from "../parts.ts";
import { eventTypesOf, READ_EVENT_TYPES } from "../../events/activity-event-types.ts";
import type { Trigger } from "../../events/triggers.ts";
import type { ActivityEventType } from "../../protocol/activity-event-types.ts";
import type { PollingSource } from "../../runtime/polling/polling-source.ts";
import { pollingSource } from "../../runtime/polling/polling-source.ts";
import type { OutagesNeeds } from "../../runtime/outages/outages.ts";
import type { ReadinessPart } from "../../runtime/readiness.ts";
import type { Source } from "../../runtime/source.ts";
import type { Store } from "../../runtime/store/store.ts";
import {
  chosenWay,
  type UseMemory,
  type WebhookSourceName,
} from "../../runtime/webhook-link/chosen-way.ts";
import type { WebhookLink, WebhookLinkNeeds } from "../../runtime/webhook-link/link.ts";
import type { StandingSubscription } from "../../runtime/webhook-link/subscription-ages.ts";
import { lostPermission } from "../../runtime/webhook-link/token-check.ts";
import { webhookLink } from "../../runtime/webhook-link/webhook-link.ts";

/** Parts of a bot that its event link needs. */
export interface LinkNeeds extends Pick<
  BotParts,
  "settings" | "platform" | "accounts" | "clients" | "clock" | "events" | "log"
> {
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  /** Part of the runtime's readiness that states whether events arrive. */
  readonly readiness: ReadinessPart;
  /** Triggers that rules and bots listen to now. */
  readonly triggers: () => Iterable<Trigger>;
  /** Resolves once this process knows all webhook requests that other processes received. Absent: there are none. */
  readonly otherReports?: (() => Promise<void>) | undefined;
  /** Called with each subscription that is found or created. */
  readonly onStanding: (subscription: StandingSubscription) => void;
  readonly onOtherWebhook?: WebhookLinkNeeds["onOtherWebhook"];
}

/** Subscriptions to reports on whether an account's events arrive, and on failures. */
export type LinkWatch = Pick<OutagesNeeds, "onReachable" | "onFailed">;

/** Event link, which brings the platform's events by webhook or polling. One process runs it for all processes. */
export interface LinkParts {
  readonly link: WebhookLink;
  /** Reports whether events arrive, by webhook or polling. */
  readonly watch: LinkWatch;
  /** Source that polls for events; absent with a webhook. */
  readonly reader?: Source;
}

/** Creates the event link that the settings name, without starting it. */
export function linkOf(needs: LinkNeeds): LinkParts {
  const { source } = needs.settings;
  return source === "polling" ? byPolling(needs) : byWebhook(source, needs);
}

function byWebhook(by: WebhookSourceName, needs: LinkNeeds): LinkParts {
  const { platform, clients, events } = needs;
  const log = needs.log.child({ stage: "link" });
  const link = webhookLink({
    ...needs,
    app: clients.app,
    way: chosenWay(by, {
      app: clients.app,
      needed: () => neededTypes(needs.triggers()),
      memory: useMemory(needs.store),
      log,
    }),
    url: platform.webhookUrl,
    clientOf: clients.of,
    publish: events.publish,
    log,
    random: Math.random,
  });
  const watch: LinkWatch = {
    onReachable: (listener) => link.onReachable(listener),
    onFailed: (listener) => events.on("link-failed", ({ data }) => listener(data.reason)),
  };
  return { link, watch };
}

/** Name of the store's value that records whether the activity interface was used, and so may have subscriptions. */
const ACTIVITY_INTERFACE = "activity-interface";

function useMemory(store: LinkNeeds["store"]): UseMemory {
  return {
    wasUsed: async () => (await store.getMeta(ACTIVITY_INTERFACE)) === "used",
    keep: () => store.setMeta(ACTIVITY_INTERFACE, "used"),
  };
}

/** Returns the event types that the triggers need; without triggers, the first two of {@link READ_EVENT_TYPES}. */
function neededTypes(triggers: Iterable<Trigger>): ReadonlySet<ActivityEventType> {
  const types = [...triggers].flatMap(eventTypesOf);
  return new Set(types.length > 0 ? types : READ_EVENT_TYPES.slice(0, 2));
}

function byPolling(needs: LinkNeeds): LinkParts {
  const { clients, events, store, log } = needs;
  const polling = pollingSource({
    ...needs,
    clientOf: clients.of,
    lostPermission,
    memory: store,
    publish: events.publish,
    log: log.child({ stage: "polling" }),
    random: Math.random,
  });
  const watch: LinkWatch = {
    onReachable: (listener) => polling.onReadable(listener),
    onFailed: (listener) =>
      polling.onReadable(({ reachable, reason = "" }) => {
        if (!reachable) listener(reason);
      }),
  };
  return { link: withoutWebhook(polling), watch, reader: polling };
}

/** Returns the link of a runtime without a webhook: it creates nothing, and lists the polled accounts as subscribed. */
function withoutWebhook(polling: PollingSource): WebhookLink {
  return {
    start: () => polling.settled(),
    status() {
      const { read, refused } = polling.status();
      const arrivals = { challenges: 0, challengesRefused: 0, deliveries: 0 };
      const lastDeliveryOf = (): undefined => undefined;
      return { valid: false, subscribed: read, refused, arrivals, lastDeliveryOf };
    },
    arrived() {},
    // Polling reads missed events itself, so catch-up has nothing to do.
    onReachable: () => () => {},
    onProof: () => () => {},
    onRefused: () => () => {},
    settled: () => polling.settled(),
    async stop() {},
  };
}
