import { createServer } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import { UsageError } from "../../errors.ts";
import { addressFault } from "../../system/address-fault.ts";
import { listen } from "../../system/listen.ts";
import type { Log } from "../log.ts";
import { settlesWithin } from "../../system/time/settles-within.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { Missing } from "../readiness.ts";
import { type Connections, openConnections } from "./connections.ts";
import type { Receiver } from "./receive.ts";
import { routeTo } from "./router.ts";

export interface WebhookServerOptions {
  /** Address to listen on. Port 0 selects a free port. */
  readonly host: string;
  readonly port: number;
  /** Path of the webhook's URL. */
  readonly path?: string;
  /** Answers requests to `path`. Absent: there is no webhook. */
  readonly receive?: Receiver;
  /** Connection limits, if the caller created them to mark connections as the platform's; by default new ones. */
  readonly connections?: Connections;
  readonly log: Log;
  /** Returns the reasons why events can't be received or answered now; empty if they can. */
  missing(): Promise<readonly Missing[]>;
  /** Returns the reason why this process has to be restarted; undefined while it works. Absent: it always works. */
  alive?(): Promise<string | undefined>;
}

export interface WebhookServer {
  readonly host: string;
  readonly port: number;
  /** Accepts no new connections, and resolves when current requests are answered or their grace period is over. */
  close(): Promise<void>;
}

/**
 * Limits of a request: times in milliseconds, the size of the headers in bytes. Proxies may add long headers. The platform waits three seconds for the
 * response to a delivery by its older guide, and ten by the newer one. The longer time counts here, so that no delivery is
 * cut off. Idle connections are kept longer than load balancers keep them, which is a minute by default: otherwise a
 * delivery could be on its way when the server closes the connection. `headersTimeout` does not apply to them.
 */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
};
/** Milliseconds without data during a request after which its connection is closed, because it holds memory. */
const SILENCE_MS = 15_000;
/** Header fields beyond this number are dropped. If they include the signature, the delivery is refused. */
const MAX_HEADERS = 200;
const CLOSE_GRACE_MS = 1_000;

/**
 * Starts the HTTP server. Requests to the webhook's path bypass express, which takes more time than all other steps
 * before the write to disk. Other paths (`/healthz`, `/readyz`) use express.
 *
 * @throws {UsageError} if the address can't be used.
 */
export async function serveWebhook(options: WebhookServerOptions): Promise<WebhookServer> {
  const app = express().disable("x-powered-by");
  app.get("/healthz", async (_request, response) => {
    const reason = await options.alive?.();
    if (reason === undefined) response.json({ status: "ok" });
    else response.status(503).json({ status: "failing", reason });
  });
  app.get("/readyz", async (_request, response) => {
    const missing = await options.missing();
    const isReady = missing.length === 0;
    response.status(isReady ? 200 : 503).json({ status: isReady ? "ready" : "not-ready", missing });
  });
  const tell = throttledErrors(options.log);
  app.use((request, response) => {
    response.status(404).json({ error: `nothing at ${request.path}` });
  });
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    tell.notAnswered(error);
    if (!response.headersSent) response.status(500).json({ error: "this could not be answered" });
  });
  const { path, receive, log, connections = openConnections() } = options;
  const route =
    path === undefined || receive === undefined ? undefined : routeTo({ path, receive, log });
  const server = createServer(LIMITS, (request, response) => {
    if (!connections.mayWait(request.socket, response)) return;
    if (route === undefined) app(request, response);
    else route(request, response, () => app(request, response));
  });
  server.setTimeout(SILENCE_MS);
  server.maxHeadersCount = MAX_HEADERS;
  connections.limit(server);
  // On the socket, because with a listener for `clientError` Node would send no response (431, 400 or 408).
  server.on("connection", (socket) => socket.on("error", tell.notRead));
  const port = await listen(server, options.port, options.host).catch((cause: unknown) => {
    const { message, ...fault } = addressFault(cause, options, "webhook.listen");
    throw new UsageError(message, { cause, ...fault });
  });
  // A connection that can't be accepted, for example for lack of file descriptors, does not affect other connections.
  server.on("error", tell.notTaken);
  return {
    host: options.host,
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      if (await settlesWithin(CLOSE_GRACE_MS, closed)) return;
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Throttled loggers: anyone can cause these errors any number of times. */
function throttledErrors(log: Log) {
  const tooLong = throttle<unknown>(LOG_EVERY_MS, (_error, times) =>
    log.warn(
      { times },
      `a request was refused, because its headers are longer than ${LIMITS.maxHeaderSize / 1024} KB; if it was a delivery, shorten the headers that your proxy adds`,
    ),
  );
  return {
    notRead: (error: NodeJS.ErrnoException): void => {
      if (error.code === "HPE_HEADER_OVERFLOW") tooLong(error);
    },
    notTaken: throttle<unknown>(LOG_EVERY_MS, (error, times) =>
      log.error({ err: error, times }, "a connection could not be accepted"),
    ),
    notAnswered: throttle<unknown>(LOG_EVERY_MS, (error, times) =>
      log.error({ err: error, times }, "a request could not be answered"),
    ),
  };
}
