import type { SeedResult } from "./simulate.ts";
import type { Problem } from "./verdict.ts";

/** Figures of many seeds. */
export interface Tally {
  readonly seeds: number;
  /** Number of delivered events. */
  readonly events: number;
  readonly crashes: number;
  readonly lost: number;
  readonly doubled: number;
  readonly out_of_order: number;
  readonly muted: number;
  readonly failed_seeds: readonly number[];
}

export const NO_SEEDS: Tally = {
  seeds: 0,
  events: 0,
  crashes: 0,
  lost: 0,
  doubled: 0,
  out_of_order: 0,
  muted: 0,
  failed_seeds: [],
};

/** Returns the figures of one seed's result. */
export function tallyOf({ seed, events, crashes, problems }: SeedResult): Tally {
  const count = (...kinds: readonly Problem["kind"][]): number =>
    problems.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    seeds: 1,
    events,
    crashes,
    lost: count("lost"),
    doubled: count("doubled", "uncalled"),
    out_of_order: count("out of order"),
    muted: count("muted"),
    failed_seeds: problems.length > 0 ? [seed] : [],
  };
}

export function sum(a: Tally, b: Tally): Tally {
  return {
    seeds: a.seeds + b.seeds,
    events: a.events + b.events,
    crashes: a.crashes + b.crashes,
    lost: a.lost + b.lost,
    doubled: a.doubled + b.doubled,
    out_of_order: a.out_of_order + b.out_of_order,
    muted: a.muted + b.muted,
    failed_seeds: [...a.failed_seeds, ...b.failed_seeds],
  };
}
