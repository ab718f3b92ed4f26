import { isIP } from "node:net";
import type { Agent } from "undici";
import type { ExchangeHeaders, ExchangeSide } from "./exchange-log.ts";
import type { LoopbackTarget } from "./hosts.ts";

/** Response of a webhook. `status` 0 and `fault` mean that no response came. */
export interface WebhookResult {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** Reason why no response came: `timeout`, or the socket's error code. */
  readonly fault?: string;
  /** Headers of the response. */
  readonly headers?: ExchangeHeaders;
  /** The sent request; absent if a fault withheld it. */
  readonly sent?: ExchangeSide;
}

export interface WebhookRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

/** Maximum number of concurrent deliveries to one origin. */
const MAX_CONCURRENT_PER_ORIGIN = 100;
const MAX_BODY_BYTES = 100_000;
const CONNECT_MS = 5_000;

/**
 * Calls webhooks on this machine over persistent connections. Redirects are not followed. The `Host` header is the
 * public name, so that a proxy that serves several sites can select one.
 */
export class WebhookSender {
  readonly #agents = new Map<string, Agent>();
  readonly #semaphores = new Map<string, Semaphore>();

  /**
   * Sends a request. A delivery (POST) waits while too many deliveries to the same origin run; its timeout starts after
   * the wait, so that a burst causes no timeouts. Challenges (GET) are sent at once.
   */
  send(target: LoopbackTarget, request: WebhookRequest): Promise<WebhookResult> {
    if (request.method === "GET") return this.#send(target, request);
    const { origin } = target.url;
    const semaphore = this.#semaphores.get(origin) ?? new Semaphore(MAX_CONCURRENT_PER_ORIGIN);
    this.#semaphores.set(origin, semaphore);
    return semaphore.run(() => this.#send(target, request));
  }

  async #send(
    target: LoopbackTarget,
    { method, headers, body, timeoutMs }: WebhookRequest,
  ): Promise<WebhookResult> {
    // Loads the client with the first call: at the start, loading it would take most of the start time.
    const { Agent, request } = await import("./calling.ts");
    const tlsKey = target.url.protocol === "https:" ? `${target.host} ${target.ca}` : "";
    const tls = tlsKey === "" ? {} : tlsOptions(target);
    const agent =
      this.#agents.get(tlsKey) ?? new Agent({ connect: { timeout: CONNECT_MS, ...tls } });
    this.#agents.set(tlsKey, agent);
    const sent = { headers: { host: target.host, ...headers }, body: body ?? "" };
    const started = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - started);
    try {
      const response = await request(target.url, {
        method,
        headers: sent.headers,
        body: body ?? null,
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer = await beginning(response.body);
      const { statusCode: status, headers: got } = response;
      return { status, body: answer, ms: elapsedMs(), headers: got, sent };
    } catch (error) {
      return { status: 0, body: "", ms: elapsedMs(), fault: faultOf(error), sent };
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }
}

/** Returns TLS options that require a certificate for the public name. An IP address can't be one (RFC 6066, 3). */
function tlsOptions({ host, ca }: LoopbackTarget): { servername?: string; ca?: string } {
  const isAddress = isIP(host.replace(/^\[|\]$/g, "")) !== 0;
  return { ...(isAddress ? {} : { servername: host }), ...(ca === undefined ? {} : { ca }) };
}

/** Returns the beginning of a response body as text, and stops reading after `MAX_BODY_BYTES`. */
async function beginning(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8", 0, MAX_BODY_BYTES);
}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timeout";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** Limits the number of concurrent tasks; further tasks wait in first-in, first-out order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param permits Maximum number of concurrent tasks: an integer of 1 or more. */
  constructor(permits: number) {
    this.#free = permits;
  }

  /** Runs `task` when a permit is free, and returns its result. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
