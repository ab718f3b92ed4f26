/** Right of a worker to decide and send for the lanes of one partition, for a limited time. */
export interface Lease {
  readonly partition: number;
  /** Fencing token: rises each time the partition passes to another worker. */
  readonly epoch: number;
  /** Time until which the lease certainly holds, in monotonic milliseconds (`performance.now()`). */
  readonly until: number;
}
