/** Change of an account's reachability: its events start or stop arriving. */
export interface ReachabilityChange {
  readonly account: string;
  readonly reachable: boolean;
  /**
   * Milliseconds since the epoch, by the platform's clock. Reachable: deliveries surely arrive from this time on. Not
   * reachable: the last time at which they surely arrived.
   */
  readonly since: number;
  /** Reason why the account's events do not arrive. */
  readonly reason?: string;
}

export interface ReachabilityNeeds {
  /** Returns the current time in milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /** Called with an error that a listener threw. */
  readonly onListenerError: (error: unknown) => void;
}

type Listener = (change: ReachabilityChange) => void;

/** Tracks which accounts' events surely arrive. It is pessimistic: a loss is dated back to the last proof of arrival. */
export class Reachability {
  readonly #needs: ReachabilityNeeds;
  readonly #listeners = new Set<Listener>();
  readonly #changes = new Map<string, ReachabilityChange>();
  /** Last time at which events surely arrived, by account. */
  readonly #proofs = new Map<string, number>();
  readonly #startedAt: number;

  constructor(needs: ReachabilityNeeds) {
    this.#needs = needs;
    this.#startedAt = needs.now();
  }

  /** Calls `listener` with each account's current state, then with every change. Returns the function that unsubscribes. */
  onReachable(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const change of this.#changes.values()) this.#tell(listener, change);
    return () => void this.#listeners.delete(listener);
  }

  /** Records a proof that the account's events arrived at the time `at`. An unreachable account stays unreachable. */
  proven(account: string, at: number = this.#needs.now()): void {
    this.#proofs.set(account, at);
  }

  /** Records that an account's events arrive. @param inMs Milliseconds from now until they surely arrive. */
  up(account: string, inMs = 0): void {
    if (this.#changes.get(account)?.reachable === true) return;
    this.#change({ account, reachable: true, since: this.#needs.now() + inMs });
  }

  /** Records that an account's events no longer arrive. @returns The change; undefined if that was recorded already. */
  down(account: string, reason: string): ReachabilityChange | undefined {
    if (this.#changes.get(account)?.reachable === false) return undefined;
    const since = this.#proofs.get(account) ?? this.#startedAt;
    const change = { account, reachable: false, since, reason };
    this.#change(change);
    return change;
  }

  /** Stops tracking an account. */
  forget(account: string, reason: string): void {
    this.down(account, reason);
    this.#changes.delete(account);
    this.#proofs.delete(account);
  }

  /** Whether the account's events surely arrive. */
  isUp(account: string): boolean {
    return this.#changes.get(account)?.reachable === true;
  }

  #change(change: ReachabilityChange): void {
    this.#changes.set(change.account, change);
    for (const listener of this.#listeners) this.#tell(listener, change);
  }

  #tell(listener: Listener, change: ReachabilityChange): void {
    try {
      listener(change);
    } catch (error) {
      this.#needs.onListenerError(error);
    }
  }
}
