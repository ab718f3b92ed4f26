import { createParser } from "eventsource-parser";
import { fetch } from "undici";
import * as z from "zod";
import type { Clock, ToldSetBack } from "./clock.ts";
import { endingWith } from "../../system/ending.ts";
import type { Log } from "../log.ts";

/** Access to a sandbox's control interface. */
export interface SandboxControl {
  /** URL that ends in `/_sandbox`. */
  readonly url: string;
  readonly token: string;
}

export interface FollowedClock extends Clock {
  setBacks(): readonly ToldSetBack[];
  close(): void;
}

const setBack = z
  .object({ n: z.number(), from: z.iso.datetime(), to: z.iso.datetime() })
  .transform(({ n, from, to }) => ({ n, was: Date.parse(from), to: Date.parse(to) }));

const clockState = z.object({
  now: z.iso.datetime(),
  frozen: z.boolean(),
  /** Whether the sandbox is moving its clock step by step: it then reports further times, up to the final one. */
  moving: z.boolean().default(false),
  set_backs: z.array(setBack).default([]),
});
type ClockState = z.infer<typeof clockState>;

/** Time that the sandbox's clock showed, and the machine's time at that moment. */
const shownClock = z.object({ now: z.iso.datetime(), frozen: z.boolean(), readAt: z.number() });
type ShownClock = z.infer<typeof shownClock>;

/** Stores the last known time of the sandbox's clock, as text, for a start while the sandbox is unreachable. */
export interface ClockMemory {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

const RECONNECT_MS = 500;
const ASK_TIMEOUT_MS = 5_000;

/**
 * Follows the sandbox's clock: reads it at the start and after each lost connection, and listens to its moves.
 *
 * While no sandbox answers, the clock continues from the last time that this or an earlier process has stored. Without
 * a stored time it shows the machine's time.
 */
export async function followSandboxClock(
  control: SandboxControl,
  log: Log,
  memory?: ClockMemory,
): Promise<FollowedClock> {
  const listeners = new Set<() => void>();
  const ending = new AbortController();
  let { shown, setBacks } = await firstOf(control, ending.signal, log, memory);

  let isMoving = false;
  const take = ({ now, frozen, moving, set_backs }: ClockState): void => {
    setBacks = set_backs;
    // Listeners are called at the beginning and the end of a move; between them, `now` has the intermediate times.
    const isOnTheWay = isMoving && moving;
    isMoving = moving;
    shown = { now, frozen, readAt: Date.now() };
    if (isOnTheWay) return;
    void memory?.write(JSON.stringify(shown)).catch((error: unknown) => {
      log.debug({ err: error }, "the sandbox's time was not stored");
    });
    for (const listener of listeners) listener();
  };

  const follow = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        await listen(control, ending.signal, take);
      } catch (error) {
        if (ending.signal.aborted) return;
        log.debug({ err: error }, "the connection to the sandbox's events was lost; reconnecting");
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS).unref());
    }
  };
  void follow();

  return {
    now: () => Date.parse(shown.now) + (shown.frozen ? 0 : Date.now() - shown.readAt),
    onJump(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isMoving: () => isMoving,
    setBacks: () => setBacks,
    close: () => ending.abort(),
  };
}

/** Reads the sandbox's time. While the sandbox is unreachable, returns the last stored time. */
async function firstOf(
  control: SandboxControl,
  signal: AbortSignal,
  log: Log,
  memory: ClockMemory | undefined,
): Promise<{ readonly shown: ShownClock; readonly setBacks: readonly ToldSetBack[] }> {
  try {
    const { now, frozen, set_backs: setBacks } = await ask(control, signal);
    return { shown: { now, frozen, readAt: Date.now() }, setBacks };
  } catch (error) {
    log.warn({ err: error }, "the sandbox's time could not be read; using its last known time");
  }
  const text = await memory?.read();
  const stored = text === undefined ? undefined : shownClock.safeParse(JSON.parse(text)).data;
  const shown = stored ?? { now: new Date().toISOString(), frozen: false, readAt: Date.now() };
  return { shown, setBacks: [] };
}

async function ask({ url, token }: SandboxControl, signal: AbortSignal): Promise<ClockState> {
  const ending = endingWith([signal], ASK_TIMEOUT_MS);
  try {
    const answer = await fetch(`${url}/clock`, {
      headers: { authorization: `Bearer ${token}` },
      signal: ending.signal,
    });
    return clockState.parse(await answer.json());
  } finally {
    ending.release();
  }
}

/** Follows clock changes until the connection ends. Reads the clock after connecting, so that no change is missed. */
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
