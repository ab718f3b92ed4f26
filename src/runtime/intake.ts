import type { Settings } from "../config/settings.ts";
import { eventTypeOf, READ_EVENT_TYPES } from "../events/activity-event-types.ts";
import type { Trigger } from "../events/triggers.ts";
import type { ActivityEventType } from "../protocol/activity-event-types.ts";
import type { ServedAccounts } from "./accounts/served-accounts.ts";
import type { Clients, PlatformAccess } from "./clients.ts";
import type { Clock } from "./clock/clock.ts";
import { inEitherShape } from "./webhook/either-interface.ts";
import type { Log } from "./log.ts";
import type { PollingSource } from "./polling/polling-source.ts";
import { pollingSource } from "./polling/polling-source.ts";
import type { OutagesNeeds } from "./outages/outages.ts";
import type { Missing, ReadinessPart } from "./readiness.ts";
import type { RuntimeEvents } from "./runtime-events.ts";
import type { Source } from "./source.ts";
import type { Store } from "./store/store.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { chosenWay, type UseMemory, type WebhookSourceName } from "./webhook-link/chosen-way.ts";
import type { WebhookLink } from "./webhook-link/link.ts";
import { webhookLink } from "./webhook-link/webhook-link.ts";
import { healthSource, webhookSource, type WebhookSourceStatus } from "./webhook/webhook-source.ts";

/** What the sources of events are made of. */
export interface IntakeNeeds {
  readonly settings: Pick<Settings, "source" | "webhook">;
  readonly platform: PlatformAccess;
  readonly accounts: ServedAccounts;
  readonly clients: Pick<Clients, "app" | "of">;
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  readonly clock: Clock;
  /** Part of the readiness that says whether events come. */
  readonly readiness: ReadinessPart;
  readonly missing: () => Promise<readonly Missing[]>;
  /** Why this process has to be started anew; undefined while it works. */
  readonly alive: () => Promise<string | undefined>;
  /** Events on disk that nobody has decided on. */
  readonly undecided: () => number;
  readonly events: Pick<RuntimeEvents, "publish" | "on">;
  /** Triggers that rules and bots listen to, as of now. */
  readonly triggers: () => Iterable<Trigger>;
  readonly telemetry: Pick<Telemetry, "onAnswered">;
  readonly log: Log;
}

/** How events come in, as the settings name it. */
export interface Intake {
  /** In the order in which they are started. */
  readonly sources: readonly Source[];
  /** The server of `/healthz` and `/readyz`, and of the webhook where there is one. */
  readonly server: Source<WebhookSourceStatus>;
  readonly link: WebhookLink;
  /** Whether the platform's events come, by either way. */
  readonly watch: LinkWatch;
}

/** Who knows whether events come, account by account. */
export type LinkWatch = Pick<OutagesNeeds, "onReachable" | "onFailed">;

/** The sources of events that the settings name; none of them is started. */
export function intakeOf(needs: IntakeNeeds): Intake {
  const { source } = needs.settings;
  return source === "polling" ? byPolling(needs) : byWebhook(source, needs);
}

function byWebhook(by: WebhookSourceName, needs: IntakeNeeds): Intake {
  const { settings, platform, clients, log, events } = needs;
  const url = platform.webhookUrl;
  const linkLog = log.child({ stage: "link" });
  const link = webhookLink({
    ...needs,
    app: clients.app,
    way: chosenWay(by, {
      app: clients.app,
      needed: () => neededTypes(needs.triggers()),
      memory: useMemory(needs.store),
      log: linkLog,
    }),
    url,
    clientOf: clients.of,
    publish: events.publish,
    log: linkLog,
    random: Math.random,
  });
  const received = webhookSource({
    listen: settings.webhook.listen,
    url,
    consumerSecret: platform.consumerSecret,
    previousConsumerSecret: platform.previousConsumerSecret,
    missing: needs.missing,
    alive: needs.alive,
    undecided: needs.undecided,
    log: log.child({ stage: "webhook" }),
    onChallenge: (answered, isFromPlatform) =>
      link.arrived({ kind: "challenge", answered, isFromPlatform }),
    onAnswered: needs.telemetry.onAnswered,
  });
  const usernameOf = (id: string): string | undefined => needs.accounts.find(id)?.username;
  const server = inEitherShape(received, { usernameOf });
  const watch: LinkWatch = {
    onReachable: (listener) => link.onReachable(listener),
    onFailed: (listener) => events.on("link-failed", ({ data }) => listener(data.reason)),
  };
  return { sources: [server], server, link, watch };
}

/** Under this name the store keeps whether the activity interface may hold subscriptions. */
const ACTIVITY_INTERFACE = "activity-interface";

function useMemory(store: IntakeNeeds["store"]): UseMemory {
  return {
    wasUsed: async () => (await store.getMeta(ACTIVITY_INTERFACE)) === "used",
    keep: (isUsed) => store.setMeta(ACTIVITY_INTERFACE, isUsed ? "used" : "left"),
  };
}

/** Event types by which the triggers come; where nothing listens, those that bots live on. */
function neededTypes(triggers: Iterable<Trigger>): ReadonlySet<ActivityEventType> {
  const types = [...triggers].flatMap((trigger) => eventTypeOf(trigger) ?? []);
  return new Set(types.length > 0 ? types : READ_EVENT_TYPES.slice(0, 2));
}

function byPolling(needs: IntakeNeeds): Intake {
  const { settings, clients, events, store, log } = needs;
  const polling = pollingSource({
    ...needs,
    clientOf: clients.of,
    memory: store,
    publish: events.publish,
    log: log.child({ stage: "polling" }),
    random: Math.random,
  });
  const { listen } = settings.webhook;
  const server = healthSource({ listen, missing: needs.missing, alive: needs.alive, log });
  const watch: LinkWatch = {
    onReachable: (listener) => polling.onReadable(listener),
    onFailed: (listener) =>
      polling.onReadable(({ reachable, reason = "" }) => {
        if (!reachable) listener(reason);
      }),
  };
  return { sources: [server, polling], server, link: withoutWebhook(polling), watch };
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
    settled: () => polling.settled(),
    async stop() {},
  };
}
