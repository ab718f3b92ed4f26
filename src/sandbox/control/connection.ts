import { createParser } from "eventsource-parser";
import type { SandboxEvent } from "./objects.ts";

/** An error response of the control interface, with its `status` and `code`. */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "ControlError";
    this.status = status;
    this.code = code;
  }
}

/** Requests to the control interface, by their paths. `ControlClient` has a method for each. */
export class ControlConnection {
  /** Ends in `/_sandbox`. */
  readonly url: string;
  readonly token: string;

  /**
   * @param url The control interface's: `control_url` of the ready line, or `url` of the `control` of a sandbox that was started here.
   * @param token Its token, from the same place.
   */
  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** Sends a GET; `T` is not checked. @throws {ControlError} for an error response. */
  get<T = unknown>(path: string): Promise<T> {
    return this.call<T>("GET", path);
  }

  /** Sends a POST with a JSON body. @throws {ControlError} for an error response. */
  post<T = unknown>(path: string, body: unknown = {}): Promise<T> {
    return this.call<T>("POST", path, body);
  }

  /** Sends a request; `T` is not checked. @throws {ControlError} for an error response. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const received: unknown = await answer.json();
    if (!answer.ok) throw errorOf(answer.status, received);
    return received as T;
  }

  /**
   * What happens in the sandbox, until `signal` is aborted.
   *
   * @param after Begins with the recent events after this sequence number; with those from now on unless given.
   * @returns once the subscription is open: no later event is missed. Reading on throws when the sandbox ends.
   * @throws {ControlError} where it is refused.
   */
  async events(
    signal: AbortSignal,
    after?: number,
  ): Promise<AsyncGenerator<SandboxEvent, void, undefined>> {
    const headers = { authorization: `Bearer ${this.token}`, accept: "text/event-stream" };
    const query = after === undefined ? "" : `?after=${after}`;
    const answer = await fetch(`${this.url}/events${query}`, { headers, signal });
    const { body } = answer;
    if (!answer.ok || body === null) throw errorOf(answer.status, await answer.json());
    return eventsIn(body, signal);
  }
}

async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<SandboxEvent, void, undefined> {
  const received: SandboxEvent[] = [];
  const parser = createParser({ onEvent: ({ data }) => void received.push(JSON.parse(data)) });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* received.splice(0);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function errorOf(status: number, body: unknown): ControlError {
  const error =
    typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  const { code, message } = { code: "unknown", message: `status ${status}`, ...Object(error) };
  return new ControlError(status, String(code), String(message));
}
