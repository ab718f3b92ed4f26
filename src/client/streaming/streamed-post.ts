import type { SingleResult } from "../reading/read.ts";
import type { PostOf, PostSelection } from "../reading/selection.ts";
import type { StreamBreak, StreamGap } from "./gap.ts";

/** Selection, start, end and callbacks of the stream. */
export interface StreamParams extends PostSelection {
  /** Minutes of backfill at the start, 0 (the default) to 5: matching posts of these minutes come first. */
  readonly backfillMinutes?: number | undefined;
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** Silence after which a connection counts as broken, in milliseconds; default 30 000. */
  readonly stallAfterMs?: number | undefined;
  /** Whether a gap that is too long for backfill is filled by search; default true. */
  readonly searchGaps?: boolean | undefined;
  /** Called each time the stream connects. */
  readonly onConnect?: (() => void) | undefined;
  /** Called each time the stream disconnects or fails to connect, with the wait until the next attempt. */
  readonly onDisconnect?: ((broken: StreamBreak) => void) | undefined;
  /** Called for each gap once it is filled or known to stay unfilled. */
  readonly onGap?: ((gap: StreamGap) => void) | undefined;
}

/** A post of a stream with its selected fields, and the rules that it matches. */
export interface StreamedPost<S> extends SingleResult<PostOf<S>, S> {
  readonly matching_rules: readonly MatchingRule[];
}

/** A rule that a streamed post matches. */
export interface MatchingRule {
  readonly id: string;
  readonly tag?: string;
}
