import { connect } from "node:net";
import { signatureOf } from "../../../src/runtime/webhook/signature.ts";
import * as wire from "../../support/wire.ts";

export interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
}

const BODY_BYTES = 1_600;

/** `count` signed deliveries as raw requests, each with an event of its own and about 1.6 KB of body. */
export function prepare(count: number, secret: string, firstId: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const from = String(200 + ((firstId + i) % 500));
    const bare = wire.message({ id: String(10_000_000 + firstId + i), from, text: "" });
    const padding = "x".repeat(BODY_BYTES - JSON.stringify(bare).length);
    const body = JSON.stringify(
      wire.message({ id: String(10_000_000 + firstId + i), from, text: padding }),
    );
    const head =
      `POST /webhook HTTP/1.1\r\nhost: bot.example\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-platform-webhooks-signature: ${signatureOf(body, secret)}\r\n\r\n`;
    return Buffer.from(head + body);
  });
}

/** Sends every request once over `connections` connections, one at a time on each. */
export function load(
  port: number,
  requests: readonly Buffer[],
  connections: number,
): Promise<Load> {
  let next = 0;
  const latencies: number[] = [];
  const started = performance.now();
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.setNoDelay(true);
      let sentAt = 0;
      let answer = "";
      const send = (): void => {
        const request = requests[next++];
        if (request === undefined) {
          socket.end();
          resolve();
          return;
        }
        answer = "";
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        answer += chunk.toString("latin1");
        if (!isWhole(answer)) return;
        if (!answer.startsWith("HTTP/1.1 200")) reject(new Error(answer.slice(0, 200)));
        latencies.push(performance.now() - sentAt);
        send();
      });
    });
  return Promise.all(Array.from({ length: connections }, one)).then(() => ({
    perSecond: (requests.length / (performance.now() - started)) * 1_000,
    p99Ms: latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  }));
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf("\r\n\r\n");
  if (head === -1) return false;
  const length = /content-length: (\d+)/i.exec(answer)?.[1];
  return length === undefined
    ? answer.endsWith("0\r\n\r\n")
    : answer.length >= head + 4 + Number(length);
}
