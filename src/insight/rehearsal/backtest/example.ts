import type { TimedOutgoing } from "./entry-answers.ts";

/** Kind of difference between the answers to an event. */
export type BacktestKind = "same" | "changed" | "new" | "gone";

/** Event that the other rules would answer differently. */
export interface BacktestExample {
  readonly kind: Exclude<BacktestKind, "same">;
  /** Number of the event in the journal. */
  readonly seq: number;
  readonly before: readonly TimedOutgoing[];
  readonly after: readonly TimedOutgoing[];
}
