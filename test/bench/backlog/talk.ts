/** Conversations to run, each with one message, its answer and the answer's echo. */
export interface Talk {
  readonly conversations: number;
  /** Number of people who wait for an answer at the same time. */
  readonly atOnce: number;
  /** Number of other deliveries a second during the conversations. */
  readonly pouring: number;
}

export interface Talked {
  /** Milliseconds from the append of a message to the request with its answer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of answers a second. */
  readonly perSecond: number;
  /** Bytes written to the disk, as counted by the kernel. */
  readonly bytes: number;
}
