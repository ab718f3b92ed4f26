import type { Draws } from "./time/draws.ts";

/** Kinds of failure of a request to the platform. */
export type RequestFault =
  /** No connection: the request is not sent. */
  | "unreachable"
  /** The request is sent, but does not arrive. */
  | "lost"
  /** The request is executed, but its response is lost. */
  | "cut"
  /** The request is executed late, maybe after its sender has given up. */
  | "late"
  /** The request is executed, but answered with 500. */
  | "executed-500"
  /** The request is not executed, and answered with 503. */
  | "unavailable"
  /** The request is not executed, and answered with 429. */
  | "limited"
  /** The request is not executed, and answered with 401. */
  | "unauthorized";

/** Kinds of failure of a write to the store. */
export type DiskFault = "before it is kept" | "after it is kept";

/** Faults of one seed. Numbers are probabilities unless stated otherwise. */
export interface FaultPlan {
  /** Time after which no fault begins, in milliseconds of the simulation. */
  readonly until: number;
  /** Whether two bots share the store; otherwise one process has it alone. */
  readonly shared: boolean;
  /** Probability that a bot crashes just before a task of weight 1; see {@link Task.weight}. */
  readonly crash: number;
  /** Probability that a bot is suspended just before a task of weight 1. */
  readonly stop: number;
  readonly longestStopMs: number;
  readonly request: number;
  readonly requestFaults: readonly [RequestFault, ...RequestFault[]];
  readonly disk: number;
  readonly slowestDiskMs: number;
  readonly deliveryLost: number;
  readonly deliveryLate: number;
  readonly deliveryDoubled: number;
  readonly ackLost: number;
  /** Times at which the platform's clock is moved, and the amounts. */
  readonly jumps: readonly { readonly at: number; readonly ms: number }[];
  /** Times at which an operator stops and restarts a bot. */
  readonly restarts: readonly number[];
}

const REQUEST_FAULTS = [
  "unreachable",
  "lost",
  "cut",
  "late",
  "executed-500",
  "unavailable",
  "limited",
  "unauthorized",
] as const satisfies readonly RequestFault[];

/** Draws the faults of a seed. Seeds differ in the kinds of faults, so that each kind also occurs alone. */
export function faultPlan(draws: Draws): FaultPlan {
  const until = draws.between(8_000, 40_000);
  const sometimes = (most: number): number => (draws.chance(0.5) ? draws.unit() * most : 0);
  const someFaults = REQUEST_FAULTS.filter(() => draws.chance(0.5));
  const [first = "cut", ...others] = someFaults;
  const times = (most: number): number[] =>
    Array.from({ length: draws.below(most + 1) }, () => draws.between(1_000, until));
  return {
    until,
    shared: draws.chance(0.5),
    crash: draws.oneOf([0, 0.000_5, 0.001, 0.003]),
    stop: draws.oneOf([0, 0, 0.000_3, 0.001]),
    longestStopMs: draws.oneOf([2_000, 12_000, 45_000]),
    request: draws.oneOf([0, 0.1, 0.3, 0.7]),
    requestFaults: [first, ...others],
    disk: draws.oneOf([0, 0, 0.02, 0.15]),
    slowestDiskMs: draws.oneOf([2, 2, 40, 3_000]),
    deliveryLost: sometimes(0.5),
    deliveryLate: sometimes(0.5),
    deliveryDoubled: sometimes(0.5),
    ackLost: sometimes(0.5),
    jumps: draws.chance(0.3)
      ? times(2).map((at) => ({ at, ms: Math.round(draws.between(-120_000, 120_000)) }))
      : [],
    restarts: draws.chance(0.3) ? times(2) : [],
  };
}
