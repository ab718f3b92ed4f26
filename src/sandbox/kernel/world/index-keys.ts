import { compareIds } from "./ids.ts";

/** Index of a table: maps a value of an indexed field to the keys of the rows that have this value. */
export interface IndexKeys {
  /** @param order Decimal id that orders the row, for {@link OrderedKeys}. */
  add(value: string, key: string, order: string): void;
  remove(value: string, key: string, order: string): void;
  of(value: string): Iterable<string>;
  first(value: string): string | undefined;
  count(value: string): number;
}

const NONE: readonly string[] = [];

/** Index that returns the keys of a value in the order of their first insertion. */
export class InsertedKeys implements IndexKeys {
  readonly #byValue = new Map<string, Set<string>>();

  add(value: string, key: string): void {
    const keys = this.#byValue.get(value);
    if (keys === undefined) this.#byValue.set(value, new Set([key]));
    else keys.add(key);
  }

  remove(value: string, key: string): void {
    const keys = this.#byValue.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.#byValue.delete(value);
  }

  of(value: string): Iterable<string> {
    return this.#byValue.get(value) ?? NONE;
  }

  first(value: string): string | undefined {
    return this.#byValue.get(value)?.values().next().value;
  }

  count(value: string): number {
    return this.#byValue.get(value)?.size ?? 0;
  }
}

/**
 * Index that sorts the keys of a value by a decimal id of their rows, so that a page is found by binary search. A
 * single key of a value is stored without an array, to save memory: most values of a large world have one key.
 */
export class OrderedKeys implements IndexKeys {
  readonly #orderOf: (key: string) => string;
  readonly #byValue = new Map<string, string | string[]>();

  /** @param orderOf Returns the decimal id that orders the row of a key. */
  constructor(orderOf: (key: string) => string) {
    this.#orderOf = orderOf;
  }

  add(value: string, key: string, order: string): void {
    const stored = this.#byValue.get(value);
    if (stored === undefined) {
      this.#byValue.set(value, key);
      return;
    }
    if (stored === key) return;
    const keys = typeof stored === "string" ? [stored] : stored;
    const at = this.#position(keys, order);
    if (keys[at] === key) return;
    if (at === keys.length) keys.push(key);
    else keys.splice(at, 0, key);
    this.#byValue.set(value, keys);
  }

  remove(value: string, key: string, order: string): void {
    const stored = this.#byValue.get(value);
    if (stored === key) this.#byValue.delete(value);
    if (stored === undefined || typeof stored === "string") return;
    const at = this.#position(stored, order);
    if (stored[at] !== key) return;
    stored.splice(at, 1);
    if (stored.length === 0) this.#byValue.delete(value);
  }

  of(value: string): readonly string[] {
    const stored = this.#byValue.get(value);
    return stored === undefined ? NONE : typeof stored === "string" ? [stored] : stored;
  }

  first(value: string): string | undefined {
    return this.of(value)[0];
  }

  count(value: string): number {
    const stored = this.#byValue.get(value);
    return stored === undefined ? 0 : typeof stored === "string" ? 1 : stored.length;
  }

  /** Yields the keys of a value, highest order first: all keys, or only keys whose order is below `below`. */
  *descending(value: string, below?: string): Generator<string> {
    const keys = this.of(value);
    const from = below === undefined ? keys.length : this.#position(keys, below);
    for (let at = from - 1; at >= 0; at -= 1) {
      const key = keys[at];
      if (key !== undefined) yield key;
    }
  }

  /** Yields the keys of a value whose order is above `above`, lowest order first. */
  *ascending(value: string, above: string): Generator<string> {
    const keys = this.of(value);
    for (let at = this.#position(keys, above); at < keys.length; at += 1) {
      const key = keys[at];
      if (key !== undefined && compareIds(this.#orderOf(key), above) > 0) yield key;
    }
  }

  /** Returns the first position in `keys` whose row has the order `order` or a higher one. */
  #position(keys: readonly string[], order: string): number {
    let low = 0;
    let high = keys.length;
    const last = keys[high - 1];
    // Fast path: a new row usually has the highest id.
    if (last !== undefined && compareIds(this.#orderOf(last), order) < 0) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const key = keys[middle];
      if (key !== undefined && compareIds(this.#orderOf(key), order) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
