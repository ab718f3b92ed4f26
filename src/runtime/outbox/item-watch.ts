/** Who waits for items to change. */
export interface ItemWatch {
  /** An item has changed. */
  changed(key: string): void;
  /** Resolves when an item changes the next time, or `signal` is aborted. */
  next(key: string, signal: AbortSignal): Promise<void>;
}

/** Items are waited for by their keys, for as long as somebody does. */
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
