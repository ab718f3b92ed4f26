import { TICK_MS, type Ticking } from "../../src/bots/watching/ticking.ts";

/** Replaces the timer with which bots watch things: a tick happens only when the test calls `advance`. */
export interface HandTicking {
  readonly ticking: Ticking;
  readonly advance: (ms: number) => void;
}

export function handTicking(): HandTicking {
  const ticks = new Set<() => void>();
  return {
    ticking: (tick) => {
      ticks.add(tick);
      return () => void ticks.delete(tick);
    },
    advance: (ms) => {
      for (let passed = 0; passed < ms; passed += TICK_MS) for (const tick of ticks) tick();
    },
  };
}
