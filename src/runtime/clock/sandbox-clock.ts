import { createParser } from "eventsource-parser";
import { fetch } from "undici";
import * as z from "zod";
import { UsageError } from "../../errors.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "../log.ts";

/** How to reach a sandbox's control interface. */
export interface SandboxControl {
  /** Ends in `/_sandbox`. */
  readonly url: string;
  readonly token: string;
}

export interface FollowedClock extends Clock {
  close(): void;
}

const clockState = z.object({ now: z.iso.datetime(), frozen: z.boolean() });
type ClockState = z.infer<typeof clockState>;

const RECONNECT_MS = 500;
const ASK_TIMEOUT_MS = 5_000;

/**
 * The sandbox's clock: asked for at the start and after each lost connection, and followed as it
 * is moved.
 *
 * @throws {UsageError} when no sandbox answers there.
 */
export async function followSandboxClock(
  control: SandboxControl,
  log: Log,
): Promise<FollowedClock> {
  const listeners = new Set<() => void>();
  const ending = new AbortController();
  let state = await ask(control, ending.signal);
  let readAt = Date.now();

  const take = (next: ClockState): void => {
    state = next;
    readAt = Date.now();
    for (const listener of listeners) listener();
  };

  const follow = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        await listen(control, ending.signal, take);
      } catch (error) {
        if (ending.signal.aborted) return;
        log.debug({ err: error }, "the sandbox's events broke off; asking for its clock again");
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref());
    }
  };
  void follow();

  return {
    now: () => Date.parse(state.now) + (state.frozen ? 0 : Date.now() - readAt),
    onJump(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => ending.abort(),
  };
}

async function ask({ url, token }: SandboxControl, signal: AbortSignal): Promise<ClockState> {
  try {
    const answer = await fetch(`${url}/clock`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_TIMEOUT_MS)]),
    });
    return clockState.parse(await answer.json());
  } catch (error) {
    throw new UsageError(`no sandbox answers at ${url}`, {
      cause: error,
      hint: "start it first: answerback sandbox, or answerback dev for sandbox and bot together",
    });
  }
}

/** Follows clock changes until the connection ends; begins by asking, so that none is missed. */
async function listen(
  control: SandboxControl,
  signal: AbortSignal,
  take: (state: ClockState) => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${control.token}`, accept: "text/event-stream" };
  const answer = await fetch(`${control.url}/events`, { headers, signal });
  if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`);
  take(await ask(control, signal));
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event !== "clock") return;
      const item = z.object({ data: clockState }).safeParse(JSON.parse(data));
      if (item.success) take(item.data.data);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of answer.body) parser.feed(decoder.decode(chunk, { stream: true }));
}
