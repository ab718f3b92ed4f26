import { connect } from "node:net";
import { prepare } from "./requests.ts";
import type { ServerName } from "./servers.ts";

/** Result of a load: events acknowledged per second, and the latency of an acknowledgement. */
export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Instructions for the process that generates the load, as JSON on its command line. */
export interface LoadOrder {
  readonly server: ServerName;
  readonly port: number;
  readonly firstId: number;
  readonly warmUp: number;
  readonly events: number;
  readonly connections: number;
}

/** Sends every request once over `connections` connections. Each connection has one request in progress at a time. */
async function load(port: number, requests: readonly Buffer[], connections: number): Promise<Load> {
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
        if (!answer.startsWith("HTTP/1.1 200")) reject(new Error(answer.slice(0, 300)));
        latencies.push(performance.now() - sentAt);
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  const perSecond = (requests.length / (performance.now() - started)) * 1_000;
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { perSecond, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf("\r\n\r\n");
  if (head === -1) return false;
  const length = /content-length: (\d+)/i.exec(answer)?.[1];
  return length === undefined
    ? answer.endsWith("0\r\n\r\n")
    : answer.length >= head + 4 + Number(length);
}

const order: LoadOrder = JSON.parse(process.argv[2] ?? "{}");
const { server, port, firstId, warmUp, events, connections } = order;
const requests = prepare(server, warmUp + events, firstId);
await load(port, requests.slice(0, warmUp), connections);
// The parent process starts its measurement at this line.
process.stdout.write("warm\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdout.write(`${JSON.stringify(await load(port, requests.slice(warmUp), connections))}\n`);
process.stdin.destroy();
