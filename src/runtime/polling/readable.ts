/** Whether all of an account's lists are read, from a moment on. */
export interface ReadableChange {
  /** User id. */
  readonly account: string;
  readonly reachable: boolean;
  /** When they were last read, in milliseconds since the epoch. */
  readonly since: number;
  /** Why they are not. */
  readonly reason?: string;
}

type Listener = (change: ReadableChange) => void;

/** Tells who follows whether accounts are read. */
export class ReadableAccounts {
  readonly #listeners = new Set<Listener>();
  readonly #latest = new Map<string, ReadableChange>();

  /** Calls `listener` with how each account is, and with every change. Returns what ends that. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const change of this.#latest.values()) listener(change);
    return () => void this.#listeners.delete(listener);
  }

  /** How an account is now. What is no change is told to nobody. */
  is(change: ReadableChange): void {
    if (this.#latest.get(change.account)?.reachable === change.reachable) return;
    this.#latest.set(change.account, change);
    for (const listener of this.#listeners) listener(change);
  }

  forget(account: string): void {
    this.#latest.delete(account);
  }
}
