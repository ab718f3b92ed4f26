import type { Clock } from "../../src/runtime/clock/clock.ts";

/** Clock that stands still until the test moves it. */
export interface HandClock extends Clock {
  advance(ms: number): void;
}

export function handClock(start = Date.UTC(2026, 0, 1)): HandClock {
  const listeners = new Set<() => void>();
  let now = start;
  return {
    now: () => now,
    onJump(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    advance(ms) {
      now += ms;
      for (const listener of listeners) listener();
    },
  };
}
