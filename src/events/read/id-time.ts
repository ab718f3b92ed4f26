/** Milliseconds since the epoch from which the platform counts its ids. */
const EPOCH = 1_288_834_974_657n;
/** Ids below have no time in them: the platform counted before it. */
const FIRST = 1n << 32n;

/** When something with this id was made, in milliseconds since the epoch; undefined for what is no such id. */
export function idTime(id: string): number | undefined {
  if (!/^\d{1,19}$/.test(id)) return undefined;
  const value = BigInt(id);
  return value < FIRST ? undefined : Number((value >> 22n) + EPOCH);
}
