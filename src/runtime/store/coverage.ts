import type { Span } from "../../system/spans.ts";

/**
 * State of a span of an account's time: the way in which its events reached the runtime.
 *
 * - `delivered`: the platform delivered the events as they happened, and a replay added no events.
 * - `unproven`: deliveries were expected, but nothing proves that all events arrived.
 * - `compared`: as `unproven`, but the timelines, read afterwards, show that no message or mention is missing.
 * - `replayed`: the platform delivered all events again.
 * - `backfilled`: messages and mentions were read afterwards; other events can't be read.
 * - `lost`: no events can be fetched.
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

/** Period of an account with one coverage state, in milliseconds since the epoch by the platform's clock. */
export interface CoverageSpan extends Span {
  readonly account: string;
  readonly state: CoverageState;
  /** Reason why events of this time may be missing. */
  readonly reason?: string;
}

/** Period of an account that lies between two covered spans and has no stored state. */
export interface CoverageGap extends Span {
  readonly account: string;
}

/** New coverage state of a period, which replaces the stored state. `open` only deletes the stored state. */
export interface CoverageChange extends Span {
  readonly account: string;
  readonly state: CoverageState | "open";
  readonly reason?: string;
}

/** Stores the coverage of each account's time: whether all events of a period arrived. */
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
