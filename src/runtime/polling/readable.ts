/** Change of whether polling can read all lists (messages, mentions) of an account. */
export interface ReadableChange {
  /** User id. */
  readonly account: string;
  readonly reachable: boolean;
  /** Time of the last complete read, in milliseconds since the epoch. */
  readonly since: number;
  /** Reason why the lists can't be read. */
  readonly reason?: string;
}

type Listener = (change: ReadableChange) => void;

/** Remembers for each account whether polling can read it, and notifies listeners of changes. */
export class ReadableAccounts {
  readonly #listeners = new Set<Listener>();
  readonly #latest = new Map<string, ReadableChange>();

  /** Calls `listener` with each account's current state, then with every change. Returns the function that unsubscribes. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const change of this.#latest.values()) listener(change);
    return () => void this.#listeners.delete(listener);
  }

  /** Records an account's state. Listeners are called only if it has changed. */
  is(change: ReadableChange): void {
    if (this.#latest.get(change.account)?.reachable === change.reachable) return;
    this.#latest.set(change.account, change);
    for (const listener of this.#listeners) listener(change);
  }

  forget(account: string): void {
    this.#latest.delete(account);
  }
}
