import type { Span } from "../../system/spans.ts";

/**
 * State of a span of an account's time: the way in which its events reached the runtime.
 *
 * `delivered`: as they happened; a replay added no events. `unproven`: deliveries were expected, but nothing
 * proves that all arrived. `compared`: the same, but reading the timelines shows that no message or mention is missing.
 * `replayed`: the platform delivered all events again. `backfilled`: messages and mentions were read; other events
 * are out of reach. `lost`: no events can be fetched.
 */
export type CoverageState =
  | "delivered"
  | "unproven"
  | "compared"
  | "replayed"
  | "backfilled"
  | "lost";

/** Kinds of event whose coverage is shown separately. */
export const COVERED_KINDS = [
  "messages",
  "mentions",
  "posts",
  "deletions",
  "likes",
  "follows",
  "blocks",
  "mutes",
  "typing",
  "reads",
] as const;
/** Kind of event, from {@link COVERED_KINDS}. */
export type CoveredKind = (typeof COVERED_KINDS)[number];

/** Span of an account's time, in milliseconds since the epoch by the platform's clock. */
export interface CoverageSpan extends Span {
  readonly account: string;
  readonly state: CoverageState;
  /** Reason why events of this time may be missing. */
  readonly reason?: string;
}

/** Stretch of an account's time between two spans that no span covers. */
export interface CoverageGap extends Span {
  readonly account: string;
}

/** Overwrites the coverage of a stretch of time. `open` removes its coverage. */
export interface CoverageChange extends Span {
  readonly account: string;
  readonly state: CoverageState | "open";
  readonly reason?: string;
}

/** Stores which stretches of each account's time were covered. */
export interface CoveragePort {
  /**
   * Lists covered spans by account and time. Time outside all spans is not covered.
   *
   * @param after Only spans that end later than this.
   */
  coverage(query?: {
    readonly account?: string;
    readonly after?: number;
  }): Promise<readonly CoverageSpan[]>;
  /** Lists gaps between the spans of one account or of every account, by account and time. */
  coverageGaps(query?: { readonly account?: string }): Promise<readonly CoverageGap[]>;
  /** Applies the changes in their order, all or none. Merges adjacent spans with the same state and reason. */
  cover(changes: readonly CoverageChange[]): Promise<void>;
}
