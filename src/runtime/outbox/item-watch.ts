/** Lets callers wait until an outbox item changes. Items are identified by their keys. */
export interface ItemWatch {
  /** Wakes the callers that wait for the item. */
  changed(key: string): void;
  /** Resolves at the next change of the item, or when `signal` is aborted. */
  next(key: string, signal: AbortSignal): Promise<void>;
}

/** Creates a watch. It stores a key only while a caller waits for its item. */
export function itemWatch(): ItemWatch {
  const waiting = new Map<string, Set<() => void>>();
  return {
    changed(key) {
      for (const wake of waiting.get(key) ?? []) wake();
    },
    next(key, signal) {
      const { promise, resolve } = withResolver();
      const wakes = waiting.get(key) ?? new Set();
      waiting.set(key, wakes);
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        wakes.delete(wake);
        if (wakes.size === 0 && waiting.get(key) === wakes) waiting.delete(key);
        resolve();
      };
      wakes.add(wake);
      signal.addEventListener("abort", wake);
      if (signal.aborted) wake();
      return promise;
    },
  };
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
