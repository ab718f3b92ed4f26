/** The right to work on one partition of the lanes, for a while. */
export interface Lease {
  readonly partition: number;
  /** Rises each time the partition passes to another worker. */
  readonly epoch: number;
  /** Monotonic milliseconds (`performance.now()`) until which it surely holds. */
  readonly until: number;
}
