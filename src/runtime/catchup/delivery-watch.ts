/** Change of an account's reachability: its deliveries start or stop arriving. */
export interface DeliveryChange {
  /** User id. */
  readonly account: string;
  readonly reachable: boolean;
  /**
   * Milliseconds since the epoch, by the platform's clock. Reachable: deliveries surely arrive from this time on. Not
   * reachable: the last time at which they surely arrived.
   */
  readonly since: number;
  /** Reason why deliveries do not arrive. */
  readonly reason?: string;
}

/** Reports when the platform's deliveries to an account start or stop arriving. */
export interface DeliveryWatch {
  /** Calls `listener` with the current state first, then with every change. Returns the function that unsubscribes. */
  readonly onReachable: (listener: (change: DeliveryChange) => void) => () => void;
}

/** A sign that deliveries of accounts may be missing. */
export interface RaisedDoubt {
  readonly accounts: readonly string[];
  /** Last time at which deliveries surely came, in milliseconds since the epoch by the platform's clock. */
  readonly since: number;
  readonly reason: string;
}

/** Accounts whose deliveries may be missing. They count as not reachable until a delivery or a challenge arrives. */
export interface DeliveryDoubts {
  /** Makes accounts unreachable, until a delivery for them or a challenge arrives. */
  raise(doubt: RaisedDoubt): void;
  /** Returns the accounts that are unreachable only because of a doubt: their webhook and subscription seem to work. */
  doubted(): readonly string[];
  /**
   * Returns the accounts with deliveries that were answered with 503 since the last call. Empty while the store accepts
   * no writes, because events that are read back could not be stored.
   */
  takeRefused(): Promise<readonly string[]>;
  /**
   * Returns the last time at which the platform reached this machine, by a challenge or by a delivery for `account`
   * (for any account if absent). In milliseconds since the epoch; the start of the process if nothing has arrived.
   */
  lastProof(account?: string): number;
}
