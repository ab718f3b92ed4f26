import type { Clock, SetBack } from "../clock/clock.ts";
import type { Ledger } from "./ledger.ts";

export interface SetBacksNeeds {
  readonly ledger: Pick<Ledger, "seen" | "saw">;
  readonly clock: Clock;
  /** Real milliseconds that go on while the clock is moved: `performance.now()`. */
  readonly monotonic: () => number;
}

/** Notices that the clock was set back, whether the platform tells of it or not. */
export interface SetBacks {
  /** Looks at the clock: to be called whenever it was moved. */
  look(): void;
  /** Gives those that were not dealt with yet to `deal`, in their order. */
  each(deal: (one: SetBack) => Promise<void>): Promise<void>;
}

/** A clock that is asked for may be so much off each time. */
const SLACK_MS = 1_000;

/** Begins to look. */
export function setBacks({ ledger, clock, monotonic }: SetBacksNeeds): SetBacks {
  const told = () => clock.setBacks?.() ?? [];
  const untold: SetBack[] = [];
  let shown = { now: clock.now(), real: monotonic(), told: told().at(-1)?.n };
  const look = (): void => {
    const before = shown;
    shown = { now: clock.now(), real: monotonic(), told: told().at(-1)?.n };
    if (shown.told !== before.told || shown.now >= before.now - SLACK_MS) return;
    // When it was, between the two looks, nobody knows.
    const passed = shown.real - before.real;
    untold.push({ was: before.now + passed, to: shown.now - passed });
  };
  return {
    look,
    async each(deal) {
      look();
      const seen = await ledger.seen();
      for (const { n, ...one } of told()) {
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
