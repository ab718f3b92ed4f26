import { createServer, type RequestListener, type Server } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Time for which a caller may go on sending its body after an early response; the body is discarded. */
export const LINGER_MS = 5_000;

const LIMITS = {
  /** Real time within which the header lines of a request must arrive. */
  headersTimeout: 10_000,
  /** Interval at which connections are checked against `headersTimeout`. */
  connectionsCheckingInterval: 1_000,
  /** No limit: the body reader sets its own deadline, which grows with the bytes received. */
  requestTimeout: 0,
  /**
   * Keep-alive time of an idle connection. It is longer than the keep-alive time of clients: otherwise a request could
   * be on its way when the server closes the connection.
   */
  keepAliveTimeout: 75_000,
};

/**
 * Creates an HTTP server that also answers requests that are not valid HTTP. `handle` gets no request of a connection
 * after such an answer.
 *
 * @param limits Times in milliseconds, as in Node's `createServer`.
 */
export function httpServer(handle: RequestListener, limits: Partial<typeof LIMITS> = {}): Server {
  const refused = new WeakSet<Duplex>();
  // Node's own server: a web framework would take a third of the start time, for one handler.
  const server = createServer({ ...LIMITS, ...limits }, (request, response) => {
    // Node still reads a request that arrives after its 408. If it were executed, the caller's retry would double it.
    if (refused.has(request.socket)) request.resume();
    else handle(request, response);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Node reports the rest of the body as further invalid requests.
    if (refused.has(socket)) return;
    refused.add(socket);
    // A client that opens connections in advance would take a 408 for the answer to the request that it sends meanwhile.
    if (socket instanceof Socket && socket.bytesRead === 0) socket.destroy();
    else refuseInvalid(error, socket);
  });
  return server;
}

/** Statuses for requests that are not valid HTTP, by the code of Node's error; any other code: 400. */
const INVALID: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Answers a request that is not valid HTTP, such as one with a character in its path that has to be percent-encoded.
 *
 * Node itself would disconnect at once. A caller that still sends its body would then get no answer.
 */
function refuseInvalid({ code = "" }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  socket.end(`HTTP/1.1 ${INVALID[code] ?? "400 Bad Request"}\r\nconnection: close\r\n\r\n`);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
}
