import { overlap } from "../../system/spans.ts";
import type { Clock } from "../clock/clock.ts";
import { outside } from "./earlier-pass.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Ledger } from "./ledger.ts";
import type { Gap } from "./plan.ts";

export interface OpenGapsNeeds {
  readonly ledger: Pick<Ledger, "gaps">;
  readonly clock: Clock;
  readonly heartbeat: () => Pick<Heartbeat, "settling">;
}

/** Open gaps of the requested accounts. */
export interface OpenGaps {
  /** All open gaps, oldest first; after a set-back of the clock some may lie in the future. */
  readonly all: readonly Gap[];
  /** Gaps up to `now`; a gap that ends later is cut at `now`. */
  readonly past: readonly Gap[];
  /** Time of the query, by the platform's clock. */
  readonly now: number;
}

/** Returns a query for open gaps, oldest first, without stretches whose deliveries are likely in transit. */
export function openGaps({ ledger, clock, heartbeat }: OpenGapsNeeds) {
  return async (accounts: readonly string[]): Promise<OpenGaps> => {
    const now = clock.now();
    const all = outside(await ledger.gaps(accounts), heartbeat().settling());
    const past = all.flatMap((gap) => {
      const part = overlap(gap, { from: -Infinity, to: now });
      return part === undefined ? [] : [{ ...gap, ...part }];
    });
    return { all, past, now };
  };
}
