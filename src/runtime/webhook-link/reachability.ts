/** Whether an account's events come, from a moment on. */
export interface ReachabilityChange {
  readonly account: string;
  readonly reachable: boolean;
  /**
   * Milliseconds since the epoch, by the platform's clock. Reachable: from when on deliveries surely
   * come. Not reachable: the last time at which they surely came.
   */
  readonly since: number;
  /** Why its events don't come. */
  readonly reason?: string;
}

export interface ReachabilityNeeds {
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /** Called with what a listener threw. */
  readonly onListenerError: (error: unknown) => void;
}

type Listener = (change: ReachabilityChange) => void;

/**
 * Which accounts' events surely come. It errs on the side of doubt: a loss begins with the last moment
 * for which there is proof.
 */
export class Reachability {
  readonly #needs: ReachabilityNeeds;
  readonly #listeners = new Set<Listener>();
  readonly #changes = new Map<string, ReachabilityChange>();
  /** When an account's events were last known to come, by account. */
  readonly #proofs = new Map<string, number>();
  readonly #startedAt: number;

  constructor(needs: ReachabilityNeeds) {
    this.#needs = needs;
    this.#startedAt = needs.now();
  }

  /** Calls `listener` for every account on every change, and now with how each is. Returns what ends that. */
  onReachable(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const change of this.#changes.values()) this.#tell(listener, change);
    return () => void this.#listeners.delete(listener);
  }

  /** Something shows that the account's events came then. Changes nothing for one that is lost. */
  proven(account: string, at: number = this.#needs.now()): void {
    this.#proofs.set(account, at);
  }

  /** @param inMs From when on its events surely come, in milliseconds from now. */
  up(account: string, inMs = 0): void {
    if (this.#changes.get(account)?.reachable === true) return;
    this.#change({ account, reachable: true, since: this.#needs.now() + inMs });
  }

  /** @returns The change; undefined for an account that was lost already. */
  down(account: string, reason: string): ReachabilityChange | undefined {
    if (this.#changes.get(account)?.reachable === false) return undefined;
    const since = this.#proofs.get(account) ?? this.#startedAt;
    const change = { account, reachable: false, since, reason };
    this.#change(change);
    return change;
  }

  /** The account is nobody's concern here any more. */
  forget(account: string, reason: string): void {
    this.down(account, reason);
    this.#changes.delete(account);
    this.#proofs.delete(account);
  }

  /** Whether the account's events surely come. */
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
