/** How long to wait between tries, in milliseconds. */
export interface BackOff {
  /** Shortest wait. */
  readonly leastMs: number;
  /** Longest wait before the second try; it doubles with every further one. */
  readonly baseMs: number;
  /** Longest wait at all. */
  readonly mostMs: number;
}

/**
 * Milliseconds before the next try after `failed` ones (from 1): drawn from the whole range, so that
 * programs that failed together do not come back together.
 *
 * @param random Uniform draw in [0, 1).
 */
export function backOffMs({ leastMs, baseMs, mostMs }: BackOff, failed: number, random: number) {
  const ceiling = Math.min(mostMs, baseMs * 2 ** Math.min(30, Math.max(0, failed - 1)));
  return leastMs + Math.floor(random * Math.max(0, ceiling - leastMs));
}
