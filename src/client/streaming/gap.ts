/**
 * Time in which a stream was not connected. A gap longer than the backfill is reported in two parts. An item that can't
 * be read is a gap that begins and ends with its arrival.
 *
 * `filled` is true if the gap's items were delivered later: by the reconnected stream (`backfill`), or by search.
 */
export interface StreamGap {
  /** Start: the arrival of the last byte; in the second part of a long gap, the earliest time that backfill reaches. */
  readonly from: Date;
  /** End: the reconnect; in the first part of a long gap, the earliest time that backfill reaches. */
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
