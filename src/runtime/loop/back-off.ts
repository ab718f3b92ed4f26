/** Back-off between tries, with full jitter; times in milliseconds. */
export interface BackOff {
  /** Shortest wait. */
  readonly leastMs: number;
  /** Longest wait before the second try; it doubles with every further try. */
  readonly baseMs: number;
  /** Longest wait before any try. */
  readonly mostMs: number;
}

/**
 * Returns the milliseconds before the next try. The wait is drawn from the whole range, so that programs that failed
 * together do not retry together.
 *
 * @param failed Number of consecutive failed tries, from 1.
 * @param random Uniform draw in [0, 1).
 */
export function backOffMs({ leastMs, baseMs, mostMs }: BackOff, failed: number, random: number) {
  const ceiling = Math.min(mostMs, baseMs * 2 ** Math.min(30, Math.max(0, failed - 1)));
  return leastMs + Math.floor(random * Math.max(0, ceiling - leastMs));
}
