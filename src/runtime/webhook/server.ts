import { createServer, type Server } from "node:http";
import express from "express";
import { UsageError } from "../../errors.ts";
import type { Receiver } from "./receive.ts";

export interface WebhookServerOptions {
  /** Address to listen on. Port 0 takes any free one. */
  readonly host: string;
  readonly port: number;
  /** Path of the webhook's URL. */
  readonly path: string;
  readonly receive: Receiver;
  /** `true` once events are taken in and decided. */
  ready(): boolean;
}

export interface WebhookServer {
  readonly host: string;
  readonly port: number;
  /** Takes no new connection, and resolves when those under way have been answered. */
  close(): Promise<void>;
}

/**
 * Listens for the platform. The webhook's path is answered ahead of express, which costs more than
 * everything else on the way to the disk; the rest of the server (`/healthz`, `/readyz`) is express.
 *
 * @throws {UsageError} when the address can't be had.
 */
export async function serveWebhook(options: WebhookServerOptions): Promise<WebhookServer> {
  const app = express().disable("x-powered-by");
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", (_request, response) => {
    const ready = options.ready();
    response.status(ready ? 200 : 503).json({ status: ready ? "ready" : "starting" });
  });
  app.use((request, response) => {
    response
      .status(404)
      .json({ error: `nothing at ${request.path}; the webhook is ${options.path}` });
  });
  const server = createServer((request, response) => {
    if (pathOf(request.url) === options.path) options.receive(request, response);
    else app(request, response);
  });
  await listen(server, options);
  const address = server.address();
  return {
    host: options.host,
    port: typeof address === "object" && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

function pathOf(url = "/"): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

function listen(server: Server, { host, port }: WebhookServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "EADDRINUSE"
          ? new UsageError(`port ${port} on ${host} is busy`, {
              cause: error,
              hint: "end the program that listens there, or set webhook.listen to another port",
            })
          : error,
      );
    });
    server.listen(port, host, resolve);
  });
}
