import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request that a stub server received. */
export interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Function that answers a stub server's requests: returns a response, or a function that writes the raw response. */
export type Handler = (request: SeenRequest, nth: number) => StubAnswer | RawAnswer;

export interface StubAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the response. A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

/** Function that writes the raw HTTP response itself. */
export type RawAnswer = (response: ServerResponse, socket: Socket) => void;

/** A small real HTTP server on loopback. */
export interface StubServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return {
    method: request.method ?? "",
    target: request.url ?? "",
    headers: request.headers,
    body: Buffer.concat(chunks).toString("latin1"),
  };
}

/** Starts a server that answers with `handle`. */
export async function stubServer(handle: Handler): Promise<StubServer> {
  const seen: SeenRequest[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // No `Date` header: tests set the platform's clock, and the machine's time must not reach the client.
    response.sendDate = false;
    const one = await read(request);
    seen.push(one);
    const answer = handle(one, seen.length);
    if (typeof answer === "function") return answer(response, request.socket);
    const body = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
    const headers = { "content-type": "application/json", ...answer.headers };
    response.writeHead(answer.status ?? 200, headers);
    response.end(body);
  };
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Creates a clock that advances only by sleeps and `pass`. Each sleep ends at once and is recorded in `slept`. */
export function instantClock(now = Date.UTC(2026, 0, 1)) {
  const slept: number[] = [];
  let at = now;
  return {
    slept,
    now: () => at,
    pass: (ms: number) => {
      at += ms;
    },
    sleep: async (ms: number) => {
      slept.push(ms);
      at += ms;
    },
  };
}
