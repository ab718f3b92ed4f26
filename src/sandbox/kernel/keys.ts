import { compareIds } from "./ids.ts";

/** Keys of rows by a value read from them: one index of a table. */
export interface Keys {
  /** @param order Place of the row where the index keeps one. */
  add(value: string, key: string, order: string): void;
  remove(value: string, key: string, order: string): void;
  of(value: string): Iterable<string>;
  first(value: string): string | undefined;
  count(value: string): number;
}

const NONE: readonly string[] = [];

/** Keys in the order they were first added. */
export class InsertedKeys implements Keys {
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
 * Keys in the order of an id that their rows carry, so that a page costs its own length.
 *
 * A value with one key holds it bare: most values of a large world have one.
 */
export class OrderedKeys implements Keys {
  readonly #orderOf: (key: string) => string;
  readonly #byValue = new Map<string, string | string[]>();

  /** @param orderOf The decimal id that a standing row is ordered by. */
  constructor(orderOf: (key: string) => string) {
    this.#orderOf = orderOf;
  }

  add(value: string, key: string, order: string): void {
    const held = this.#byValue.get(value);
    if (held === undefined) {
      this.#byValue.set(value, key);
      return;
    }
    if (held === key) return;
    const keys = typeof held === "string" ? [held] : held;
    const at = this.#place(keys, order);
    if (keys[at] === key) return;
    if (at === keys.length) keys.push(key);
    else keys.splice(at, 0, key);
    this.#byValue.set(value, keys);
  }

  remove(value: string, key: string, order: string): void {
    const held = this.#byValue.get(value);
    if (held === key) this.#byValue.delete(value);
    if (held === undefined || typeof held === "string") return;
    const at = this.#place(held, order);
    if (held[at] !== key) return;
    held.splice(at, 1);
    if (held.length === 0) this.#byValue.delete(value);
  }

  of(value: string): readonly string[] {
    const held = this.#byValue.get(value);
    return held === undefined ? NONE : typeof held === "string" ? [held] : held;
  }

  first(value: string): string | undefined {
    return this.of(value)[0];
  }

  count(value: string): number {
    const held = this.#byValue.get(value);
    return held === undefined ? 0 : typeof held === "string" ? 1 : held.length;
  }

  /** Keys whose order is below `below`, or all, from the highest down. */
  *down(value: string, below?: string): Generator<string> {
    const keys = this.of(value);
    const from = below === undefined ? keys.length : this.#place(keys, below);
    for (let at = from - 1; at >= 0; at -= 1) {
      const key = keys[at];
      if (key !== undefined) yield key;
    }
  }

  /** Keys whose order is above `above`, from the lowest up. */
  *up(value: string, above: string): Generator<string> {
    const keys = this.of(value);
    for (let at = this.#place(keys, above); at < keys.length; at += 1) {
      const key = keys[at];
      if (key !== undefined && compareIds(this.#orderOf(key), above) > 0) yield key;
    }
  }

  /** The first place whose order is `order` or above. */
  #place(keys: readonly string[], order: string): number {
    let low = 0;
    let high = keys.length;
    const last = keys[high - 1];
    // New rows carry the highest id so far.
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
