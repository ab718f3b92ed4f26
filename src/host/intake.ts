import type { Settings } from "../config/settings.ts";
import { eventTypesOf, READ_EVENT_TYPES } from "../events/activity-event-types.ts";
import type { Trigger } from "../events/triggers.ts";
import type { ActivityEventType } from "../protocol/activity-event-types.ts";
import type { ServedAccounts } from "../runtime/accounts/served-accounts.ts";
import type { Clients, PlatformAccess } from "../runtime/platform/clients.ts";
import type { Clock } from "../runtime/clock/clock.ts";
import { inEitherShape } from "../runtime/webhook/either-interface.ts";
import type { Log } from "../runtime/log.ts";
import type { PollingSource } from "../runtime/polling/polling-source.ts";
import { pollingSource } from "../runtime/polling/polling-source.ts";
import type { OutagesNeeds } from "../runtime/outages/outages.ts";
import type { Missing, ReadinessPart } from "../runtime/readiness.ts";
import type { RuntimeEvents } from "../runtime/runtime-events.ts";
import type { Source } from "../runtime/source.ts";
import type { Store } from "../runtime/store/store.ts";
import type { Telemetry } from "../runtime/telemetry/telemetry.ts";
import type { Arrival } from "../runtime/webhook-link/arrivals.ts";
import {
  chosenWay,
  type UseMemory,
  type WebhookSourceName,
} from "../runtime/webhook-link/chosen-way.ts";
import type { WebhookLink, WebhookLinkNeeds } from "../runtime/webhook-link/link.ts";
import type { StandingSubscription } from "../runtime/webhook-link/subscription-ages.ts";
import { webhookLink } from "../runtime/webhook-link/webhook-link.ts";
import {
  healthSource,
  webhookSource,
  type WebhookSourceStatus,
} from "../runtime/webhook/webhook-source.ts";

/** What the link by which events come is made of. */
export interface LinkNeeds {
  readonly settings: Pick<Settings, "source" | "webhook">;
  readonly platform: PlatformAccess;
  readonly accounts: ServedAccounts;
  readonly clients: Pick<Clients, "app" | "of">;
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  readonly clock: Clock;
  /** Part of the readiness that says whether events come. */
  readonly readiness: ReadinessPart;
  readonly events: Pick<RuntimeEvents, "publish" | "on">;
  /** Triggers that rules and bots listen to, as of now. */
  readonly triggers: () => Iterable<Trigger>;
  /** Resolves once what has come to other processes by now has been told here. Absent: there are none. */
  readonly heard?: (() => Promise<void>) | undefined;
  /** Called with each subscription that is found or made. Absent: nobody wants to know. */
  readonly onStanding?: ((subscription: StandingSubscription) => void) | undefined;
  readonly log: Log;
  readonly onOtherWebhook?: WebhookLinkNeeds["onOtherWebhook"];
}

/** What the server is made of. */
export interface ServerNeeds extends Pick<LinkNeeds, "settings" | "platform" | "log"> {
  readonly missing: () => Promise<readonly Missing[]>;
  /** Why this process has to be started anew; undefined while it works. */
  readonly alive: () => Promise<string | undefined>;
}

/** What a process has that serves the webhook. */
export interface TakingInNeeds {
  /** Events on disk that nobody has decided on. */
  readonly undecided: () => number;
  readonly accounts: Pick<ServedAccounts, "find">;
  readonly telemetry: Pick<Telemetry, "onAnswered">;
  /** A challenge came, or a delivery that is turned away. */
  readonly arrived: (arrival: Arrival) => void;
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

/** What answers at `webhook.listen`. */
export type IntakeServer = Source<WebhookSourceStatus>;

/** The link by which events come, as the settings name it; it is not started. */
export function linkOf(needs: LinkNeeds): LinkParts {
  const { source } = needs.settings;
  return source === "polling" ? byPolling(needs) : byWebhook(source, needs);
}

/**
 * The server of `/healthz` and `/readyz`, and of the webhook where there is one and this process serves it.
 *
 * @param takesIn Absent: it serves none.
 */
export function serverOf(needs: ServerNeeds, takesIn: TakingInNeeds | undefined): IntakeServer {
  const { settings, platform, missing, alive } = needs;
  const { listen } = settings.webhook;
  if (takesIn === undefined || settings.source === "polling") {
    return healthSource({ listen, missing, alive, log: needs.log });
  }
  const received = webhookSource({
    listen,
    url: platform.webhookUrl,
    consumerSecret: platform.consumerSecret,
    previousConsumerSecret: platform.previousConsumerSecret,
    missing,
    alive,
    undecided: takesIn.undecided,
    log: needs.log.child({ stage: "webhook" }),
    onChallenge: (answered, isFromPlatform) =>
      takesIn.arrived({ kind: "challenge", answered, isFromPlatform }),
    onRefused: (account) => takesIn.arrived({ kind: "refused", account }),
    onAnswered: takesIn.telemetry.onAnswered,
  });
  const usernameOf = (id: string): string | undefined => takesIn.accounts.find(id)?.username;
  return inEitherShape(received, { usernameOf });
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
