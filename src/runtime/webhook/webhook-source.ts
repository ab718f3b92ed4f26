import type { Log } from "../log.ts";
import type { Missing } from "../readiness.ts";
import type { Source } from "../source.ts";
import type { AdmissionStatus } from "./admission.ts";
import { openConnections } from "./connections.ts";
import { counted, type OnAnswered } from "./counted.ts";
import { type Receiver, receiver } from "./receive.ts";
import { serveWebhook, type WebhookServer } from "./server.ts";

export interface WebhookSourceNeeds {
  /** Address to listen on. Port 0 takes any free one. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Public URL of the webhook: its path is answered here. */
  readonly url: string;
  /** Signs challenges and deliveries. */
  readonly consumerSecret: string;
  /** The secret before the current one: deliveries that it signs are taken, too. */
  readonly previousConsumerSecret?: string | undefined;
  readonly missing: () => Promise<readonly Missing[]>;
  /** Why this process has to be started anew; undefined while it works. */
  readonly alive: () => Promise<string | undefined>;
  /** Events on disk that nobody has decided on. */
  readonly undecided: () => number;
  readonly log: Log;
  /** Called for each challenge, with whether it could be answered and whether the platform has surely sent it. */
  readonly onChallenge?: (answered: boolean, isFromPlatform: boolean) => void;
  /** Called for each delivery that is turned away, with its account; with "" where it was not read. */
  readonly onRefused?: (account: string) => void;
  /** Called for each request to the webhook that is over, to count them. */
  readonly onAnswered?: OnAnswered | undefined;
}

export interface WebhookSourceStatus extends AdmissionStatus {
  /** Where it listens; where it is going to, with the port of the settings, before the start. */
  readonly host: string;
  readonly port: number;
}

/** A delivery is small; what is larger is not one. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const NOT_SHEDDING: AdmissionStatus = { shedding: false, shed: 0 };

/** The platform's deliveries, as they come in over HTTP. */
export function webhookSource(needs: WebhookSourceNeeds): Source<WebhookSourceStatus> {
  const { listen, url, missing, alive, undecided, log, onChallenge, onRefused, onAnswered } = needs;
  const { consumerSecret, previousConsumerSecret } = needs;
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
      server = await serveWebhook({ ...listen, path, log, receive, connections, missing, alive });
    },
    status: () => ({
      host: listen.host,
      port: server?.port ?? listen.port,
      ...(receive?.status() ?? NOT_SHEDDING),
    }),
    async stop() {
      await server?.close();
    },
  };
}

/** The server of `/healthz` and `/readyz` alone, for a runtime whose events come another way. */
export function healthSource({
  listen,
  missing,
  alive,
  log,
}: Pick<WebhookSourceNeeds, "listen" | "missing" | "alive" | "log">): Source<WebhookSourceStatus> {
  let server: WebhookServer | undefined;
  return {
    name: "webhook",
    async start() {
      server = await serveWebhook({ ...listen, log, missing, alive });
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
