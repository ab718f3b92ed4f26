import { fetch } from "undici";
import type { AnswerHeaders } from "../../client/client.ts";
import { connections } from "../../system/proxy-for.ts";
import { type LearntTime, PlatformClock } from "../../client/clock.ts";
import type { Log } from "../log.ts";
import type { Clock } from "./clock.ts";

/** Stores the last known difference between the clocks, as text, for a start while the platform is unreachable. */
export interface SkewMemory {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

export interface LiveClockNeeds {
  readonly baseUrl: string;
  readonly log: Log;
  readonly memory: SkewMemory;
  /** Milliseconds since the epoch by this machine's clock; by default `Date.now`. */
  readonly machine?: () => number;
}

/** Clock of the live platform. Each client of the runtime corrects it with the platform's HTTP responses. */
export type LiveClock = Clock & LearntTime;

const ASK_TIMEOUT_MS = 3_000;
/** Smallest difference between the clocks, in milliseconds, that is logged: `Date` headers are not precise. */
const NOTABLE_MS = 2_000;

/**
 * Returns the live platform's clock: this machine's clock, corrected by the `Date` headers of HTTP responses.
 *
 * It sends one request to the platform before it returns, so that nothing is recorded with a wrong time. While the
 * platform is unreachable, it uses the last known difference between the clocks.
 */
export async function liveClock(needs: LiveClockNeeds): Promise<LiveClock> {
  const { baseUrl, log, memory, machine = Date.now } = needs;
  const listeners = new Set<() => void>();
  const stored = Number(await memory.read());
  let isKnown = false;
  const platform = new PlatformClock(machine, Number.isFinite(stored) ? stored : 0, (aheadMs) => {
    if (Math.abs(aheadMs) >= NOTABLE_MS) log.warn({ aheadMs }, skewText(aheadMs));
    void memory.write(String(aheadMs)).catch((error: unknown) => {
      log.debug({ err: error }, "the platform's time was not stored");
    });
    for (const listener of listeners) listener();
  });
  const learn = (headers: AnswerHeaders, tookMs: number): void => {
    // Also by a response without a date: then the machine's clock is the best that there is.
    isKnown = true;
    platform.learn(headers, tookMs);
  };
  try {
    const { headers, tookMs } = await askForDate(baseUrl);
    learn(headers, tookMs);
  } catch (error) {
    log.debug(
      { err: error },
      "the platform's time could not be read; using the last known difference",
    );
  }
  return {
    jumpsAreCorrections: true,
    now: () => platform.now(),
    isKnown: () => isKnown,
    learn,
    onJump(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * Sends a request without credentials to the platform, to receive a `Date` header.
 *
 * @throws {TypeError} if the platform can't be reached within three seconds.
 */
export async function askForDate(
  baseUrl: string,
): Promise<{ readonly headers: AnswerHeaders; readonly tookMs: number }> {
  const begunAt = performance.now();
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  const dispatcher = connections();
  try {
    const request = { method: "HEAD", redirect: "manual", signal, dispatcher } as const;
    const answer = await fetch(baseUrl, request);
    const headers = Object.fromEntries(answer.headers);
    return { headers, tookMs: performance.now() - begunAt };
  } finally {
    await dispatcher.destroy();
  }
}

/** Describes the difference, such as "this machine's clock is 120 s behind the platform's". */
export function skewText(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `this machine's clock is ${seconds} s ${aheadMs > 0 ? "behind" : "ahead of"} the platform's`;
}
