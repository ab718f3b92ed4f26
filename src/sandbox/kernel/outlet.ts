import { Agent, request } from "undici";

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

const MOST_CONNECTIONS = 256;
const MOST_BODY = 100_000;

/** Calls webhooks on this machine over kept connections. Redirects are answers, not followed. */
export class Outlet {
  readonly #agent = new Agent({ connections: MOST_CONNECTIONS, connect: { timeout: 5_000 } });

  async call(url: URL, { method, headers, body, timeoutMs }: Outgoing): Promise<Outcome> {
    const started = performance.now();
    const took = (): number => Math.round(performance.now() - started);
    try {
      const answer = await request(url, {
        method,
        headers: { ...headers },
        body: body ?? null,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: text.slice(0, MOST_BODY), ms: took() };
    } catch (error) {
      return { status: 0, body: "", ms: took(), fault: faultOf(error) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (error.name === "TimeoutError" || error.name === "AbortError") return "timeout";
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
