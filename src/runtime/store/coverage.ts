import type { Span } from "../../system/spans.ts";

/**
 * How an account's events of a stretch of time reached us.
 *
 * `delivered`: as they happened; a replay brought nothing else. `unproven`: deliveries were expected, and nothing
 * vouches for that time. `compared`: the same, but reading shows that no message or mention is missing. `replayed`:
 * the platform delivered all of them again. `backfilled`: messages and mentions were read; the rest of that time is
 * out of reach. `lost`: nothing can be had.
 */
export type CoverageState =
  | "delivered"
  | "unproven"
  | "compared"
  | "replayed"
  | "backfilled"
  | "lost";

/** Kinds of event whose time is shown by itself. */
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
/** One of {@link COVERED_KINDS}. */
export type CoveredKind = (typeof COVERED_KINDS)[number];

/** A stretch of an account's time, in milliseconds since the epoch by the platform's clock. */
export interface CoverageSpan extends Span {
  readonly account: string;
  readonly state: CoverageState;
  /** Why it is not better covered. */
  readonly reason?: string;
}

/** A stretch of an account's time that is in no span, though there is one before it and one after it. */
export interface CoverageGap extends Span {
  readonly account: string;
}

/** What becomes of a stretch, whatever stood there. `open`: it is not covered. */
export interface CoverageChange extends Span {
  readonly account: string;
  readonly state: CoverageState | "open";
  readonly reason?: string;
}

/** For those who know what came in, and what did not. */
export interface CoveragePort {
  /**
   * What is covered, by account and in the order of time; what is in no span is not.
   *
   * @param after Only spans that end later than this.
   */
  coverage(query?: {
    readonly account?: string;
    readonly after?: number;
  }): Promise<readonly CoverageSpan[]>;
  /** What is missing between the spans of an account, or of each, by account and in the order of time. */
  coverageGaps(query?: { readonly account?: string }): Promise<readonly CoverageGap[]>;
  /** Makes the changes in their order, all or none. Spans that meet and say the same become one. */
  cover(changes: readonly CoverageChange[]): Promise<void>;
}
