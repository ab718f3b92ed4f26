import { createServer, type ServerResponse } from "node:http";
import { UsageError } from "../../errors.ts";
import { addressFault } from "../../system/address-fault.ts";
import { listen } from "../../system/listen.ts";
import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";

/** Address to listen on. Port 0 selects a free port. */
interface Address {
  readonly host: string;
  readonly port: number;
}

export interface MetricsServerNeeds {
  readonly at: Address;
  readonly contentType: string;
  /** Returns all metrics as text. */
  readonly text: () => Promise<string>;
  readonly log: Log;
}

/** HTTP server for Prometheus. */
export interface MetricsServer extends Address {
  close(): Promise<void>;
}

/**
 * Timeouts of a request in milliseconds: Prometheus sends short requests, and by default waits ten seconds for a
 * response.
 */
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 5_000 };

/**
 * Serves only `GET /metrics`, without authentication, so the address must not be reachable by strangers. Simultaneous
 * requests share one reading of the metrics.
 *
 * @throws {UsageError} if the address can't be used.
 */
export async function serveMetrics(needs: MetricsServerNeeds): Promise<MetricsServer> {
  const { at, log } = needs;
  let reading: Promise<string> | undefined;
  const notRead = throttle<unknown>(LOG_EVERY_MS, (error, times) =>
    log.error({ err: error, times }, "the metrics could not be read"),
  );
  const answer = async (response: ServerResponse): Promise<void> => {
    try {
      reading ??= needs.text().finally(() => (reading = undefined));
      const text = await reading;
      response.writeHead(200, { "content-type": needs.contentType }).end(text);
    } catch (error) {
      notRead(error);
      response.writeHead(500).end();
    }
  };
  const server = createServer(TIMEOUTS, (request, response) => {
    const [path] = (request.url ?? "/").split("?", 1);
    if (path === "/metrics" && request.method === "GET") void answer(response);
    else response.writeHead(404, { "content-type": "text/plain" }).end("GET /metrics\n");
  });
  const port = await listen(server, at.port, at.host).catch((cause: unknown) => {
    const { message, ...fault } = addressFault(cause, at, "metrics.listen");
    throw new UsageError(`metrics can't be served: ${message}`, { cause, ...fault });
  });
  return {
    host: at.host,
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
