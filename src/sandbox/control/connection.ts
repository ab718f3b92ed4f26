import type { IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import { bodyText, localRequest } from "../../system/local-request.ts";
import { storesClass } from "../../system/stored-classes.ts";
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

storesClass("ControlError", ControlError);

/** Connection to the control interface that sends requests by path. `ControlClient` has a method for each endpoint. */
export class ControlConnection {
  /** URL of the control interface; ends in `/_sandbox`. */
  readonly url: string;
  readonly token: string;

  /**
   * @param url URL of the control interface: `control_url` of the line that `answerback sandbox --json` prints when it
   * is ready, or `control.url` of a started sandbox.
   * @param token Token of the control interface: `control_token` of that line, or `control.token` of a started sandbox.
   */
  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** Sends a GET. The response is not checked against `T`. @throws {ControlError} for an error response. */
  get<T = unknown>(path: string): Promise<T> {
    return this.call<T>("GET", path);
  }

  /** Sends a POST with a JSON body. @throws {ControlError} for an error response. */
  post<T = unknown>(path: string, body: unknown = {}): Promise<T> {
    return this.call<T>("POST", path, body);
  }

  /** Sends a request. The response is not checked against `T`. @throws {ControlError} for an error response. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await localRequest(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const received: T = JSON.parse(await bodyText(answer));
    const { statusCode: status = 0 } = answer;
    if (status < 200 || status > 299) throw errorOf(status, received);
    return received;
  }

  /**
   * Yields the events of the sandbox until `signal` is aborted.
   *
   * @param after Sequence number: stored events above it are yielded first. Without it only new events are yielded.
   * @returns a generator, once the subscription is open: no later event is missed. The generator throws when the
   * sandbox ends.
   * @throws {ControlError} for an error response.
   */
  async events(
    signal: AbortSignal,
    after?: number,
  ): Promise<AsyncGenerator<SandboxEvent, void, undefined>> {
    const headers = { authorization: `Bearer ${this.token}`, accept: "text/event-stream" };
    const query = after === undefined ? "" : `?after=${after}`;
    const answer = await localRequest(`${this.url}/events${query}`, { headers, signal });
    const { statusCode: status = 0 } = answer;
    if (status !== 200) throw errorOf(status, JSON.parse(await bodyText(answer)));
    return eventsIn(answer, signal);
  }
}

async function* eventsIn(
  body: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<SandboxEvent, void, undefined> {
  const received: SandboxEvent[] = [];
  const parser = createParser({ onEvent: ({ data }) => void received.push(JSON.parse(data)) });
  try {
    for await (const chunk of body.setEncoding("utf8")) {
      parser.feed(String(chunk));
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
