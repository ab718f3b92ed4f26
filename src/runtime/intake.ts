import type { Settings } from "../config/settings.ts";
import type { ServedAccounts } from "./accounts/served-accounts.ts";
import type { Clients, PlatformAccess } from "./clients.ts";
import type { Clock } from "./clock/clock.ts";
import type { Log } from "./log.ts";
import type { PollingSource } from "./polling/polling-source.ts";
import { pollingSource } from "./polling/polling-source.ts";
import type { OutagesNeeds } from "./outages/outages.ts";
import type { Missing, ReadinessPart } from "./readiness.ts";
import type { RuntimeEvents } from "./runtime-events.ts";
import type { Source } from "./source.ts";
import type { Store } from "./store/store.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
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
  return needs.settings.source === "polling" ? byPolling(needs) : byWebhook(needs);
}

function byWebhook(needs: IntakeNeeds): Intake {
  const { settings, platform, clients, log, events } = needs;
  const url = platform.webhookUrl;
  const link = webhookLink({
    ...needs,
    app: clients.app,
    url,
    clientOf: clients.of,
    publish: events.publish,
    log: log.child({ stage: "link" }),
    random: Math.random,
  });
  const server = webhookSource({
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
  const watch: LinkWatch = {
    onReachable: (listener) => link.onReachable(listener),
    onFailed: (listener) => events.on("link-failed", ({ data }) => listener(data.reason)),
  };
  return { sources: [server], server, link, watch };
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
