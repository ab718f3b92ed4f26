import type { Log } from "../log.ts";
import type { Missing } from "../readiness.ts";
import type { Source } from "../source.ts";
import type { AdmissionStatus } from "./admission.ts";
import { openConnections } from "./connections.ts";
import { counted, type OnAnswered } from "./counted.ts";
import { type Receiver, receiver } from "./receive.ts";
import { switchOf, type WebhookRouter } from "./router.ts";
import { serveWebhook, type WebhookServer } from "./server.ts";

/** Receivers of reports about requests to the webhook. */
interface WebhookReports {
  readonly log: Log;
  /** Called for each challenge: whether it was answered, and whether the platform surely sent it. */
  readonly onChallenge?: (answered: boolean, isFromPlatform: boolean) => void;
  /**
   * Called for each rejected delivery with the user id of each account that it is for, or with "" if the delivery was
   * not read or names no account.
   */
  readonly onRefused?: (account: string) => void;
  /** Called after each request to the webhook, for the metrics. */
  readonly onAnswered?: OnAnswered | undefined;
}

export interface WebhookSourceNeeds extends WebhookReports {
  /** Address to listen on. Port 0 selects a free port. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Router through which requests to the webhook are answered while this source runs. */
  readonly router: WebhookRouter;
  /** Whether a server of the caller listens on `listen` and serves the router, so that this source starts no server. */
  readonly isServedElsewhere: boolean;
  /** Public URL of the webhook. The server answers requests to the path of this URL. */
  readonly url: string;
  /** Secret that signs challenges and deliveries. */
  readonly consumerSecret: string;
  /** Previous secret: deliveries signed with it are accepted, too. */
  readonly previousConsumerSecret?: string | undefined;
  readonly missing: () => Promise<readonly Missing[]>;
  /** Returns the reason why this process has to be restarted; undefined while it works. */
  readonly alive: () => Promise<string | undefined>;
  /** Number of undecided events on disk. */
  readonly undecided: () => number;
}

export interface WebhookSourceStatus extends AdmissionStatus {
  /** Host of the address on which the server listens. */
  readonly host: string;
  /** Port on which the server listens; before the start, the port of `listen`. */
  readonly port: number;
}

/** Limit of a delivery's body in bytes; real deliveries are much smaller. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const NOT_SHEDDING: AdmissionStatus = { shedding: false, shed: 0 };

/** Creates the source that receives the platform's deliveries over HTTP. */
export function webhookSource(needs: WebhookSourceNeeds): Source<WebhookSourceStatus> {
  const { listen, url, missing, alive, undecided, log, onChallenge, onRefused, onAnswered } = needs;
  const { consumerSecret, previousConsumerSecret, router, isServedElsewhere } = needs;
  let server: WebhookServer | undefined;
  let receive: Receiver | undefined;
  return {
    name: "webhook",
    async start(append) {
      const connections = openConnections();
      const receiving = receiver({
        consumerSecret,
        ...(previousConsumerSecret === undefined ? {} : { previousConsumerSecret }),
        maxBodyBytes: MAX_BODY_BYTES,
        undecided,
        log,
        ...(onChallenge === undefined ? {} : { onChallenge }),
        ...(onRefused === undefined ? {} : { onRefused }),
        onSigned: ({ socket }) => connections.proven(socket),
        append: async (delivery, raw) => void (await append(delivery, raw)),
      });
      receive = onAnswered === undefined ? receiving : counted(receiving, onAnswered);
      const path = new URL(url).pathname;
      switchOf(router).open({ path, receive, log });
      if (isServedElsewhere) return;
      server = await serveWebhook({ ...listen, path, log, receive, connections, missing, alive });
    },
    status: () => ({
      host: listen.host,
      port: server?.port ?? listen.port,
      ...(receive?.status() ?? NOT_SHEDDING),
    }),
    async stop() {
      switchOf(router).close();
      await server?.close();
    },
  };
}

/** Creates a source without events, which serves only `/healthz` and `/readyz`: for a process that has no webhook. */
export function healthSource({
  listen,
  isServedElsewhere,
  missing,
  alive,
  log,
}: Pick<
  WebhookSourceNeeds,
  "listen" | "isServedElsewhere" | "missing" | "alive" | "log"
>): Source<WebhookSourceStatus> {
  let server: WebhookServer | undefined;
  return {
    name: "webhook",
    async start() {
      if (!isServedElsewhere) server = await serveWebhook({ ...listen, log, missing, alive });
    },
    status: () => ({
      host: listen.host,
      port: server?.port ?? listen.port,
      ...NOT_SHEDDING,
    }),
    async stop() {
      await server?.close();
    },
  };
}
