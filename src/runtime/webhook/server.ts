import { createServer } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import { UsageError } from "../../errors.ts";
import { listen } from "../../system/listen.ts";
import type { Log } from "../log.ts";
import { settlesWithin } from "../loop/settles-within.ts";
import { LOG_EVERY_MS, throttle } from "../loop/throttle.ts";
import type { Missing } from "../readiness.ts";
import { type Connections, openConnections } from "./connections.ts";
import type { Receiver } from "./receive.ts";

export interface WebhookServerOptions {
  /** Address to listen on. Port 0 takes any free one. */
  readonly host: string;
  readonly port: number;
  /** Path of the webhook's URL. */
  readonly path?: string;
  /** Answers requests to that path. Without it there is no webhook here. */
  readonly receive?: Receiver;
  /** Its connections, where somebody else is to know them. */
  readonly connections?: Connections;
  readonly log: Log;
  /** What keeps events from being taken in and answered; nothing when they are. */
  missing(): Promise<readonly Missing[]>;
  /** Why this process has to be started anew; undefined while it works. It always does unless said. */
  alive?(): Promise<string | undefined>;
}

export interface WebhookServer {
  readonly host: string;
  readonly port: number;
  /** Takes no new connection, and resolves when those under way are answered or have had their time. */
  close(): Promise<void>;
}

/**
 * A delivery is small and comes from a machine that waits ten seconds for its answer: who sends more
 * slowly than that holds a connection for nothing. Milliseconds.
 */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 8 * 1024,
};
/** Who neither sends nor takes what is answered holds memory for nothing. */
const SILENCE_MS = 15_000;
const MAX_HEADERS = 100;
const CLOSE_GRACE_MS = 1_000;

/**
 * Listens for the platform. The webhook's path is answered ahead of express, which costs more than
 * everything else on the way to the disk; the rest of the server (`/healthz`, `/readyz`) is express.
 *
 * @throws {UsageError} when the address can't be had.
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
  // Express knows an error handler by its four parameters.
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    tell.notAnswered(error);
    if (!response.headersSent) response.status(500).json({ error: "this could not be answered" });
  });
  const { connections = openConnections() } = options;
  const server = createServer(LIMITS, (request, response) => {
    if (!connections.mayWait(request.socket, response)) return;
    if (pathOf(request.url) === options.path) options.receive?.(request, response);
    else app(request, response);
  });
  server.setTimeout(SILENCE_MS);
  server.maxHeadersCount = MAX_HEADERS;
  connections.limit(server);
  const port = await listen(server, options.port, options.host).catch((error: unknown) => {
    throw busyAddress(error, options);
  });
  // A connection that can't be taken, for want of file descriptors for instance, ends nothing else.
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

/** Anybody can cause these any number of times. */
function throttledErrors(log: Log) {
  return {
    notTaken: throttle<unknown>(LOG_EVERY_MS, (error, times) =>
      log.error({ err: error, times }, "connection not taken"),
    ),
    notAnswered: throttle<unknown>(LOG_EVERY_MS, (error, times) =>
      log.error({ err: error, times }, "not answered"),
    ),
  };
}

function pathOf(url = "/"): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/** The error of a busy address in words that say what to do; any other error as it is. */
function busyAddress(error: unknown, { host, port }: WebhookServerOptions): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "EADDRINUSE") return error;
  return new UsageError(`port ${port} on ${host} is busy`, {
    cause: error,
    hint: "end the program that listens there, or set webhook.listen to another port",
  });
}
