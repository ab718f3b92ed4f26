import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { listen } from "../../src/system/listen.ts";

/** Load balancer from the platform to several receivers. If one does not accept a request, the next one gets it. */
export interface Balancer {
  readonly url: string;
  /** Sets the URL of a receiver by its name; undefined removes the receiver. */
  lead(name: string, url: string | undefined): void;
  /** Ids of the messages that a receiver answered with 2xx. */
  readonly acknowledged: ReadonlySet<string>;
  /** Number of requests that no receiver accepted within {@link BalancerTimes.retryForMs}. */
  refused(): number;
  /** Longest time that an accepted request waited, in milliseconds. */
  longestWait(): number;
  close(): Promise<void>;
}

export interface BalancerTimes {
  /** Time in milliseconds after which the balancer tries another receiver. */
  readonly answerWithinMs: number;
  /** Time in milliseconds after which the balancer stops retrying a request. */
  readonly retryForMs: number;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

const BAD_GATEWAY: Answer = { status: 502, headers: {}, body: Buffer.alloc(0) };
/** Pause between two rounds through all receivers, in milliseconds. */
const AGAIN_MS = 25;

/** Opens a balancer without receivers. */
export async function balancer(times: BalancerTimes): Promise<Balancer> {
  const acknowledged = new Set<string>();
  const receivers = new Map<string, URL>();
  let turn = 0;
  let refused = 0;
  let longestWait = 0;

  const ask = async (incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
    const started = performance.now();
    const waited = (): number => performance.now() - started;
    do {
      turn += 1;
      const all = [...receivers.values()];
      for (let n = 0; n < all.length; n += 1) {
        const receiver = all[(turn + n) % all.length];
        if (receiver === undefined) continue;
        const answer = await forwarded(receiver, incoming, body, times.answerWithinMs);
        if (answer === undefined || answer.status >= 500) continue;
        longestWait = Math.max(longestWait, waited());
        return answer;
      }
      await pause(AGAIN_MS);
    } while (waited() < times.retryForMs && !incoming.socket.destroyed);
    refused += 1;
    return BAD_GATEWAY;
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { status, headers, body: answered } = await ask(incoming, body);
    if (status < 300 && incoming.method === "POST") {
      for (const id of messageIds(body.toString("utf8"))) acknowledged.add(id);
    }
    outgoing.writeHead(status, withoutFraming(headers)).end(answered);
  };
  const server = createServer((incoming, outgoing) => {
    // The platform may close the connection before the request is complete; then no response is possible.
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    lead(name, url) {
      if (url === undefined) receivers.delete(name);
      else receivers.set(name, new URL(url));
    },
    acknowledged,
    refused: () => refused,
    longestWait: () => longestWait,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @returns undefined if no complete answer came in time. */
function forwarded(
  { hostname, port }: URL,
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
  withinMs: number,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => passed.destroy(), withinMs);
    const done = (answer?: Answer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const passed = request({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const { statusCode: status = 502 } = answer;
          done({ status, headers: answer.headers, body: Buffer.concat(chunks) });
        })
        .on("error", () => done());
    });
    passed.on("error", () => done()).on("close", () => done());
    passed.end(body);
  });
}

/** Removes the headers of the body's framing, since the balancer frames the body itself. */
function withoutFraming(headers: Answer["headers"]): Answer["headers"] {
  const { "transfer-encoding": _, connection: __, ...rest } = headers;
  return rest;
}

function messageIds(body: string): readonly string[] {
  const { direct_message_events: events }: { direct_message_events?: readonly { id: string }[] } =
    JSON.parse(body);
  return (events ?? []).map(({ id }) => id);
}
