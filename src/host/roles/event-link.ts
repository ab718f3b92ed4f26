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
import { webhookLink } from "../../runtime/webhook-link/webhook-link.ts";

/** Parts of a bot that the link by which events come is made of. */
export interface LinkNeeds extends Pick<
  BotParts,
  "settings" | "platform" | "accounts" | "clients" | "clock" | "events" | "log"
> {
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  /** Part of the readiness that says whether events come. */
  readonly readiness: ReadinessPart;
  /** Triggers that rules and bots listen to, as of now. */
  readonly triggers: () => Iterable<Trigger>;
  /** Resolves once what has come to other processes by now has been reported here. Absent: there are none. */
  readonly heard?: (() => Promise<void>) | undefined;
  /** Called with each subscription that is found or made. */
  readonly onStanding: (subscription: StandingSubscription) => void;
  readonly onOtherWebhook?: WebhookLinkNeeds["onOtherWebhook"];
}

/** Who knows whether events come, account by account. */
export type LinkWatch = Pick<OutagesNeeds, "onReachable" | "onFailed">;

/** What one process does for all, so that events come. */
export interface LinkParts {
  readonly link: WebhookLink;
  /** Whether the platform's events come, by either way. */
  readonly watch: LinkWatch;
  /** What reads events, where the platform does not call. */
  readonly reader?: Source;
}

/** The link by which events come, as the settings name it; it is not started. */
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

/** Under this name the store keeps whether the activity interface may hold subscriptions. */
const ACTIVITY_INTERFACE = "activity-interface";

function useMemory(store: LinkNeeds["store"]): UseMemory {
  return {
    wasUsed: async () => (await store.getMeta(ACTIVITY_INTERFACE)) === "used",
    keep: (isUsed) => store.setMeta(ACTIVITY_INTERFACE, isUsed ? "used" : "left"),
  };
}

/** Event types by which the triggers come; where nothing listens, those that bots live on. */
function neededTypes(triggers: Iterable<Trigger>): ReadonlySet<ActivityEventType> {
  const types = [...triggers].flatMap(eventTypesOf);
  return new Set(types.length > 0 ? types : READ_EVENT_TYPES.slice(0, 2));
}

function byPolling(needs: LinkNeeds): LinkParts {
  const { clients, events, store, log } = needs;
  const polling = pollingSource({
    ...needs,
    clientOf: clients.of,
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

/** The link of a runtime that has no webhook: nothing to make, and whoever is read is served. */
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
    // What was missed is read by polling itself: nobody has to catch up.
    onReachable: () => () => {},
    onProof: () => () => {},
    onRefused: () => () => {},
    settled: () => polling.settled(),
    async stop() {},
  };
}
