/** Time from which the platform's ids count milliseconds, in milliseconds since the Unix epoch. */
const EPOCH = 1_288_834_974_657n;

/** Bounds of the ids: ids of groups have 15 digits at least, and no id is above 2^63. */
const LOWEST = 10n ** 14n;
const HIGHEST = 2n ** 63n - 2n ** 50n;

/** How far ahead of the last id a new high-water mark is stored, as milliseconds of the time that ids encode. */
const RESERVE_MS = 10_000n;

/**
 * Ids that contain their time of creation, if it is between 2010 and 2080. Each id is higher than all earlier ids, even within a millisecond, after the
 * clock was set back, or after the process was killed.
 *
 * Every returned id is below a high-water mark that `reserve` stored before. After a kill, ids continue from the mark.
 */
export class IdSequence {
  readonly #now: () => number;
  readonly #reserve: (mark: string) => void;
  #last: bigint;
  #mark: bigint;

  /**
   * @param now Returns the time in milliseconds since the Unix epoch.
   * @param mark Decimal id above all earlier ids; "0" for a new world.
   * @param reserve Stores a new mark durably before it returns.
   */
  constructor(now: () => number, mark: string, reserve: (mark: string) => void) {
    this.#now = now;
    this.#reserve = reserve;
    this.#last = BigInt(mark);
    this.#mark = this.#last;
  }

  /** Returns the next id, of 15 to 19 digits. */
  next(): string {
    const idOfNow = idAt(this.#now());
    const fromClock = idOfNow > LOWEST ? idOfNow : LOWEST;
    this.#last = fromClock > this.#last ? fromClock : this.#last + 1n;
    if (this.#last >= this.#mark) {
      this.#mark = this.#last + (RESERVE_MS << 22n);
      this.#reserve(String(this.#mark));
    }
    return String(this.#last);
  }

  /** Highest id so far, or the mark at the start: every later id is higher. */
  get last(): string {
    return String(this.#last);
  }

  /** Makes all later ids higher than `id`, which comes from a saved world. */
  skipPast(id: string): void {
    const externalId = BigInt(id);
    if (externalId > this.#last) this.#last = externalId;
  }
}

/**
 * Returns the first id of a time, in milliseconds since the Unix epoch. The id is negative before November 2010, and
 * the same for all times after 2080.
 */
export function idAt(at: number): bigint {
  const id = (BigInt(Math.trunc(at)) - EPOCH) << 22n;
  return id < HIGHEST ? id : HIGHEST;
}

/** Returns the time that an id contains, in milliseconds since the Unix epoch. */
export function timeOfId(id: string): number {
  return Number((BigInt(id) >> 22n) + EPOCH);
}

/** Compares decimal ids by value, for sorting: negative when `a` is lower. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
