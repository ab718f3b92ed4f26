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

/** A sign that deliveries of accounts may be missing. */
export interface RaisedDoubt {
  readonly accounts: readonly string[];
  /** Last time at which deliveries surely came, in milliseconds since the epoch by the platform's clock. */
  readonly since: number;
  readonly reason: string;
}

/** Accounts whose deliveries may be missing: they are not reachable until something arrives. */
export interface DeliveryDoubts {
  /** Makes accounts unreachable, until a delivery for them or a challenge arrives. */
  raise(doubt: RaisedDoubt): void;
  /** Accounts in doubt that the link calls reachable. */
  doubted(): readonly string[];
  /**
   * Returns the accounts with a delivery that was read and answered 503 since the last call, each once. Empty while the
   * store takes no writes: then nothing could be read back.
   */
  turnedAway(): Promise<readonly string[]>;
  /**
   * When the platform last reached this machine: with a challenge, or with a delivery for `account`, for any account
   * unless one is given. In milliseconds since the epoch; the start of the process where nothing has come.
   */
  lastProof(account?: string): number;
}
