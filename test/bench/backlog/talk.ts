/** Conversations to have: each is one message, its answer and the answer's echo. */
export interface Talk {
  readonly conversations: number;
  /** How many people wait for an answer at once. */
  readonly atOnce: number;
  /** Other deliveries a second that come in meanwhile. */
  readonly pouring: number;
}

export interface Talked {
  /** From the append of a message to the request with its answer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers a second. */
  readonly perSecond: number;
  /** Written to the disk, by the kernel's account. */
  readonly bytes: number;
}
