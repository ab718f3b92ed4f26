import { request, Agent } from "node:http";
import { signatureOf } from "../../src/runtime/webhook/signature.ts";
import { message } from "../support/wire.ts";
import { HEADER, type Victim } from "./wire.ts";

/** Deliveries of the platform during the attack, and their results. */
export interface Deliveries {
  readonly sent: number;
  /** Number of deliveries answered with 200 at the first try. */
  readonly accepted: number;
  /** Results of the deliveries that failed, with their counts. */
  readonly refused: Readonly<Record<string, number>>;
  /** Milliseconds until each answer, sorted. */
  readonly latencies: readonly number[];
}

/** The platform's own signed deliveries, one after the other until they are stopped. */
export interface DeliveringPlatform {
  /** Resolves when the last delivery is answered. */
  stop(): Promise<Deliveries>;
}

/** In each group of five deliveries, the first is large and the second uses a connection of its own. */
const EVERY = 5;
const PATIENCE_MS = 10_000;

/**
 * Makes the platform deliver messages to an account.
 *
 * @param everyMs Pause between two deliveries.
 */
export function delivering(
  victim: Victim,
  { secret, account, everyMs }: { secret: string; account: string; everyMs: number },
): DeliveringPlatform {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latencies: number[] = [];
  const refused: Record<string, number> = {};
  let sent = 0;
  const stopping = new AbortController();
  const run = (async (): Promise<Deliveries> => {
    while (!stopping.signal.aborted) {
      sent += 1;
      const text = sent % EVERY === 0 ? "long ".repeat(8_000) : `message ${sent}`;
      const id = String(9_000_000_000 + sent);
      const body = JSON.stringify(message({ id, account, to: account, text }));
      const startedAt = performance.now();
      const status = await deliver(victim, body, secret, sent % EVERY === 1 ? undefined : agent);
      latencies.push(performance.now() - startedAt);
      if (status !== "200") refused[status] = (refused[status] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    agent.destroy();
    const accepted = sent - Object.values(refused).reduce((sum, count) => sum + count, 0);
    return { sent, accepted, refused, latencies: latencies.toSorted((a, b) => a - b) };
  })();
  return {
    stop() {
      stopping.abort();
      return run;
    },
  };
}

/** Status of the answer, or the reason why there was none. */
function deliver(
  { host, port, path }: Victim,
  body: string,
  secret: string,
  agent: Agent | undefined,
): Promise<string> {
  return new Promise((resolve) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      [HEADER]: signatureOf(body, secret),
    };
    const options = { host, port, path, method: "POST", headers, timeout: PATIENCE_MS };
    const sending = request({ ...options, agent: agent ?? false }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.on("error", ({ message: why }) => resolve(why));
    });
    sending.on("error", ({ message: why }) => resolve(why));
    sending.on("timeout", () => sending.destroy(new Error("no answer")));
    sending.end(body);
  });
}
