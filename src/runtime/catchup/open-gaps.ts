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

/** What is to be caught up of accounts. */
export interface OpenGaps {
  /** Where the clock was set back some of it may lie ahead. */
  readonly all: readonly Gap[];
  /** What is over. */
  readonly past: readonly Gap[];
  /** By the platform's clock, when it was looked up. */
  readonly now: number;
}

/** Looks up what is to be caught up, oldest first: not what is likely only on its way. */
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
