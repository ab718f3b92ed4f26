/**
 * Time in which a stream was not connected.
 *
 * `filled` is true if its posts have been delivered all the same: by the reconnected stream (`backfill`), or by search.
 */
export interface StreamGap {
  /** Arrival of the last byte before the gap. */
  readonly from: Date;
  /** Time of the reconnect. */
  readonly to: Date;
  readonly filled: boolean;
  /** Source that filled the gap. */
  readonly by?: "backfill" | "search";
  /** Reason why the gap is not filled, or only in part. */
  readonly why?: string;
}

/** Disconnection of a stream, and the wait before the next attempt. */
export interface StreamBreak {
  /** Reason for the disconnection, in one sentence. */
  readonly why: string;
  /** Disconnect type of the platform's error, such as `OperationalDisconnect`, if it sent one. */
  readonly disconnectType?: string | undefined;
  /** Milliseconds until the next attempt. */
  readonly retryInMs: number;
}
