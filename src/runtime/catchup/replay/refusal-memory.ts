import type { Clock } from "../../clock/clock.ts";
import type { EndedJob } from "./replay-runner.ts";

/** Remembers for a day, in this process, that the platform does not replay for the app. */
export interface RefusalMemory {
  /** Updates the memory with the outcome of a job. */
  take(ended: EndedJob): void;
  /** Returns the reason why no replay should be requested at present; undefined if a replay may be requested. */
  reason(): string | undefined;
}

/** Time for which a refusal is remembered, by the platform's clock. */
const HOLDS_MS = 24 * 60 * 60_000;

/**
 * Creates a memory without a refusal.
 *
 * @param always Reason why replays are never available; undefined if they may be.
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
