/**
 * A time in which a stream was not connected.
 *
 * `filled` says whether what was posted in it has been given all the same: by the stream itself once it was connected
 * again (`backfill`), or by search.
 */
export interface StreamGap {
  /** When the last byte before it came. */
  readonly from: Date;
  /** When the stream was there again. */
  readonly to: Date;
  readonly filled: boolean;
  /** What filled it. */
  readonly by?: "backfill" | "search";
  /** Why it is not filled, or not whole. */
  readonly why?: string;
}

/** Why a stream is not connected, and when it will be tried again. */
export interface StreamBreak {
  /** In one sentence. */
  readonly why: string;
  /** Of the platform's error, such as `OperationalDisconnect`, where it said one. */
  readonly disconnectType?: string | undefined;
  /** Milliseconds until the next try. */
  readonly retryInMs: number;
}
