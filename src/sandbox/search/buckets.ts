/** Lengths of the periods in which posts are counted, in milliseconds. */
export const GRANULARITIES = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** A period and the number of its posts. Times in milliseconds since the Unix epoch; `end` is excluded. */
export interface CountBucket {
  readonly start: number;
  readonly end: number;
  count: number;
}

/** Returns the periods between two instants: whole minutes, hours or days of UTC, except the first and the last. */
export function bucketsOf(from: number, until: number, length: number): CountBucket[] {
  const buckets: CountBucket[] = [];
  for (let start = from; start < until;) {
    const end = Math.min((Math.floor(start / length) + 1) * length, until);
    buckets.push({ start, end, count: 0 });
    start = end;
  }
  return buckets;
}

/** Adds 1 to the count of the period that contains `at`, the time of a post. */
export function countInto(buckets: readonly CountBucket[], at: number): void {
  let [low, high] = [0, buckets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((buckets[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const bucket = buckets[low];
  if (bucket !== undefined && bucket.start <= at) bucket.count += 1;
}
