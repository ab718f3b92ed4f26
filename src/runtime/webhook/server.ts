import { createServer } from "node:http";
import express from "express";
import { UsageError } from "../../errors.ts";
import { listen } from "../../system/listen.ts";
import type { Log } from "../log.ts";
import { settlesWithin } from "../loop/settles-within.ts";
import type { Missing } from "../readiness.ts";
import type { Receiver } from "./receive.ts";

export interface WebhookServerOptions {
  /** Address to listen on. Port 0 takes any free one. */
  readonly host: string;
  readonly port: number;
  /** Path of the webhook's URL. */
  readonly path?: string;
  /** Answers requests to that path. Without it there is no webhook here. */
  readonly receive?: Receiver;
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
const TIMEOUTS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
};
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
  const elsewhere = options.path === undefined ? "" : `; the webhook is ${options.path}`;
  app.use((request, response) => {
    response.status(404).json({ error: `nothing at ${request.path}${elsewhere}` });
  });
  const server = createServer(TIMEOUTS, (request, response) => {
    if (pathOf(request.url) === options.path) options.receive?.(request, response);
    else app(request, response);
  });
  const port = await listen(server, options.port, options.host).catch((error: unknown) => {
    throw busyAddress(error, options);
  });
  // A connection that can't be taken, for want of file descriptors for instance, ends nothing else.
  server.on("error", (error) => options.log.error({ err: error }, "connection not taken"));
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
