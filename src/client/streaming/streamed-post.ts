import type { SingleResult } from "../reading/read.ts";
import type { PostOf, PostSelection } from "../reading/selection.ts";
import type { StreamBreak, StreamGap } from "./gap.ts";

/** What is streamed besides the selection, and who is told of what. */
export interface StreamParams extends PostSelection {
  /** Minutes before now from which matching posts come first, 0 (the default) to 5. */
  readonly backfillMinutes?: number | undefined;
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** Silence after which a connection counts as broken, in milliseconds; default 30 000. */
  readonly stallAfterMs?: number | undefined;
  /** `false` leaves gaps that are too long for backfill unfilled, instead of searching. */
  readonly searchGaps?: boolean | undefined;
  /** Told each time that the stream is connected. */
  readonly onConnect?: (() => void) | undefined;
  /** Told each time that it is not, or can't be, and when it will be tried again. */
  readonly onDisconnect?: ((broken: StreamBreak) => void) | undefined;
  /** Told of each gap once it is known whether it was filled. */
  readonly onGap?: ((gap: StreamGap) => void) | undefined;
}

/** A post of a stream with what was selected, and the rules that it matches. */
export interface StreamedPost<S> extends SingleResult<PostOf<S>, S> {
  readonly matching_rules: readonly MatchingRule[];
}

/** A rule that a streamed post matches. */
export interface MatchingRule {
  readonly id: string;
  readonly tag?: string;
}
