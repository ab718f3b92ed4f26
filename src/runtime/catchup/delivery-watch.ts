/** Deliveries for an account begin to come, or come no longer. */
export interface DeliveryChange {
  /** User id. */
  readonly account: string;
  readonly reachable: boolean;
  /**
   * Milliseconds since the epoch, by the platform's clock. Reachable: from when deliveries surely come.
   * Not reachable: the last time that they surely came.
   */
  readonly since: number;
  /** Why they don't come. */
  readonly reason?: string;
}

/** Who knows whether the platform's deliveries reach us. */
export interface DeliveryWatch {
  /** Calls `listener` with every change, beginning with how it is now. Returns what ends that. */
  readonly onReachable: (listener: (change: DeliveryChange) => void) => () => void;
}
