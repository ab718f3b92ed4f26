import type { TimedOutgoing } from "./entry-answers.ts";

/** Difference between the two outputs for an event: none, other output, output only after, or output only before. */
export type BacktestKind = "same" | "changed" | "new" | "gone";

/** Event with different output under the edited rules. */
export interface BacktestExample {
  readonly kind: Exclude<BacktestKind, "same">;
  /** Number of the event in the journal. */
  readonly seq: number;
  readonly before: readonly TimedOutgoing[];
  readonly after: readonly TimedOutgoing[];
}
