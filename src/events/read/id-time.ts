/** Epoch of the platform's ids, in milliseconds since the Unix epoch. */
const EPOCH = 1_288_834_974_657n;
/** Lowest id that contains a time; earlier ids are sequential numbers. */
const FIRST = 1n << 32n;

/** Creation time of an object, from its id, in milliseconds since the Unix epoch; undefined if the id contains none. */
export function idTime(id: string): number | undefined {
  if (!/^\d{1,19}$/.test(id)) return undefined;
  const value = BigInt(id);
  return value < FIRST ? undefined : Number((value >> 22n) + EPOCH);
}
