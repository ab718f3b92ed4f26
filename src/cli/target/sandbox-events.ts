import { createParser } from "eventsource-parser";
import { fetch } from "undici";
import { NotRunningError } from "../exit-codes.ts";
import type { LocalSandbox } from "./sandbox-control.ts";

/** Something that happened in the sandbox, as its feed tells it. */
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
 * @param after Begins with what it still remembers after this number.
 * @returns once the ear is open: nothing that happens afterwards is missed.
 */
export async function hear(
  { url, token }: LocalSandbox,
  signal: AbortSignal,
  after?: number,
): Promise<AsyncGenerator<SandboxEvent, void, undefined>> {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const query = after === undefined ? "" : `?after=${after}`;
  const answer = await fetch(`${url}/events${query}`, { headers, signal });
  const { body } = answer;
  if (!answer.ok || body === null) {
    throw new NotRunningError(`the sandbox's events can't be had: status ${answer.status}`);
  }
  async function* events(): AsyncGenerator<SandboxEvent, void, undefined> {
    const heard: SandboxEvent[] = [];
    const parser = createParser({ onEvent: ({ data }) => void heard.push(JSON.parse(data)) });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body ?? []) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        yield* heard.splice(0);
      }
    } catch (error) {
      if (!signal.aborted) throw lost(error);
    }
  }
  return events();
}

function lost(cause: unknown): NotRunningError {
  return new NotRunningError("the sandbox has ended", {
    cause,
    hint: "start it again: answerback dev",
  });
}
