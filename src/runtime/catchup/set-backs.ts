import type { Clock, SetBack } from "../clock/clock.ts";
import type { Ledger } from "./ledger.ts";

export interface SetBacksNeeds {
  readonly ledger: Pick<Ledger, "seen" | "saw">;
  readonly clock: Clock;
  /** Real milliseconds, independent of the runtime's clock: `performance.now()`. */
  readonly monotonic: () => number;
}

/** Detects that the clock was set back, whether the platform reports it or not. */
export interface SetBacks {
  /** Compares the clock with the last check. Has to be called whenever the clock was moved by hand. */
  look(): void;
  /** Calls `deal` for each set-back that it was not called for yet, in order. */
  each(deal: (one: SetBack) => Promise<void>): Promise<void>;
}

/** Backward difference in milliseconds that may come from the inexact reading of a remote clock, and is no set-back. */
const SLACK_MS = 1_000;

/** Creates the detection, with the current time as its first check. */
export function setBacks({ ledger, clock, monotonic }: SetBacksNeeds): SetBacks {
  const reported = () => clock.setBacks?.() ?? [];
  const untold: SetBack[] = [];
  let shown = { now: clock.now(), real: monotonic(), told: reported().at(-1)?.n };
  const look = (): void => {
    const before = shown;
    shown = { now: clock.now(), real: monotonic(), told: reported().at(-1)?.n };
    if (shown.told !== before.told || shown.now >= before.now - SLACK_MS) return;
    // Only the times of the last check and of this one are known, so the longest possible set-back is assumed.
    const passed = shown.real - before.real;
    untold.push({ was: before.now + passed, to: shown.now - passed });
  };
  return {
    look,
    async each(deal) {
      look();
      const seen = await ledger.seen();
      for (const { n, ...one } of reported()) {
        if (n <= seen) continue;
        await deal(one);
        await ledger.saw(n);
      }
      for (let one = untold[0]; one !== undefined; one = untold[0]) {
        await deal(one);
        untold.shift();
      }
    },
  };
}
