import type { TimedOutgoing } from "./entry-answers.ts";

/** How what goes out for an event differs. */
export type BacktestKind = "same" | "changed" | "new" | "gone";

/** One event for which other things would go out. */
export interface BacktestExample {
  readonly kind: Exclude<BacktestKind, "same">;
  /** Number of the event in the journal. */
  readonly seq: number;
  readonly before: readonly TimedOutgoing[];
  readonly after: readonly TimedOutgoing[];
}
