import type { Clock } from "../../clock/clock.ts";
import type { EndedJob } from "./replay-runner.ts";

/** Remembers for a day, in this process, that the platform does not replay for the app. */
export interface RefusalMemory {
  /** A job is over: what it says of the next. */
  take(ended: EndedJob): void;
  /** Why no replay need be asked for just now; undefined when one may be. */
  reason(): string | undefined;
}

/** By the platform's clock. */
const HOLDS_MS = 24 * 60 * 60_000;

/**
 * A memory of no refusal.
 *
 * @param always Why there never are replays; undefined where there may be.
 */
export function refusalMemory(clock: Clock, always?: string): RefusalMemory {
  let last: { readonly at: number; readonly reason: string } | undefined;
  return {
    take({ outcome, reason = "" }) {
      if (outcome === "complete") last = undefined;
      if (outcome === "refused") last = { at: clock.now(), reason };
    },
    reason() {
      const holds = last !== undefined && Math.abs(clock.now() - last.at) < HOLDS_MS;
      return always ?? (holds ? last?.reason : undefined);
    },
  };
}
