import { createParser } from "eventsource-parser";
import { fetch } from "undici";
import { NotRunningError } from "../exit-codes.ts";
import type { LocalSandbox } from "./sandbox-control.ts";

/** Something that happened in the sandbox, as its feed reports it. */
export interface SandboxEvent {
  readonly seq: number;
  /** ISO 8601 by the sandbox's clock. */
  readonly at: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * What happens in the sandbox from now on, until `signal` is aborted or the sandbox ends.
 *
 * @param after Starts with the recent events after this sequence number.
 * @returns once the subscription is open: no later event is missed.
 */
export async function followEvents(
  { url, token }: LocalSandbox,
  signal: AbortSignal,
  after?: number,
): Promise<AsyncGenerator<SandboxEvent, void, undefined>> {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const query = after === undefined ? "" : `?after=${after}`;
  const answer = await fetch(`${url}/events${query}`, { headers, signal });
  const { body } = answer;
  if (!answer.ok || body === null) {
    throw new NotRunningError(`the sandbox's events can't be read: status ${answer.status}`);
  }
  async function* events(): AsyncGenerator<SandboxEvent, void, undefined> {
    const received: SandboxEvent[] = [];
    const parser = createParser({ onEvent: ({ data }) => void received.push(JSON.parse(data)) });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body ?? []) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        yield* received.splice(0);
      }
    } catch (error) {
      if (!signal.aborted) throw sandboxEnded(error);
    }
  }
  return events();
}

function sandboxEnded(cause: unknown): NotRunningError {
  return new NotRunningError("the sandbox has ended", {
    cause,
    hint: "start it again: answerback dev",
  });
}
