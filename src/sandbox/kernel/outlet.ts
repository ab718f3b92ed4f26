import type { Agent } from "undici";
import { Gate } from "./gate.ts";
import type { Target } from "./hosts.ts";

/** What a call brought back. `status` 0 and `fault` say that no answer came. */
export interface Outcome {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** Why no answer came: `timeout`, or the socket's error code. */
  readonly fault?: string;
}

export interface Outgoing {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

/** Deliveries to one origin at a time. */
const MOST_AT_ONCE = 100;
const MOST_BODY = 100_000;
const CONNECT_MS = 5_000;

/** Calls webhooks on this machine over kept connections. Redirects are answers, not followed. */
export class Outlet {
  readonly #agents = new Map<string, Agent>();
  readonly #gates = new Map<string, Gate>();

  /**
   * Deliveries wait for a place before their time starts to run, so that a burst starves none;
   * challenges wait for nothing.
   */
  call(target: Target, outgoing: Outgoing): Promise<Outcome> {
    if (outgoing.method === "GET") return this.#send(target, outgoing);
    const { origin } = target.url;
    const gate = this.#gates.get(origin) ?? new Gate(MOST_AT_ONCE);
    this.#gates.set(origin, gate);
    return gate.through(() => this.#send(target, outgoing));
  }

  async #send(target: Target, { method, headers, body, timeoutMs }: Outgoing): Promise<Outcome> {
    // Loaded with the first call: most of what a sandbox costs at its start.
    const { Agent, request } = await import("undici");
    const trust = target.url.protocol === "https:" ? `${target.host} ${target.ca}` : "";
    const { host, ca } = target;
    const tls = trust === "" ? {} : { servername: host, ...(ca === undefined ? {} : { ca }) };
    const agent =
      this.#agents.get(trust) ?? new Agent({ connect: { timeout: CONNECT_MS, ...tls } });
    this.#agents.set(trust, agent);
    const started = performance.now();
    const took = (): number => Math.round(performance.now() - started);
    try {
      const answer = await request(target.url, {
        method,
        headers: { ...headers },
        body: body ?? null,
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: text.slice(0, MOST_BODY), ms: took() };
    } catch (error) {
      return { status: 0, body: "", ms: took(), fault: faultOf(error) };
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timeout";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
