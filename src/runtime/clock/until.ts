import type { Clock } from "./clock.ts";

/** Resolves when the platform's clock reaches `at`, by itself or moved by hand, or when `signal` is aborted. */
export async function until(at: number, clock: Clock, signal: AbortSignal): Promise<void> {
  while (clock.now() < at && !signal.aborted) {
    const waitMs = Math.min(at - clock.now(), LONGEST_TIMER_MS);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        unfollow();
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      const unfollow = clock.onJump(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}

/** Milliseconds of the longest timer. Timers are limited to 2^31 ms, and a clock may be set without a notification. */
const LONGEST_TIMER_MS = 60_000;
