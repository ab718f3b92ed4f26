/** Milliseconds from which the platform counts its ids. */
const ID_EPOCH = 1_288_834_974_657n;

/** When something was made, by its id: milliseconds since 1970. */
export function madeAt(id: string): number {
  return /^\d{1,19}$/.test(id) ? Number((BigInt(id) >> 22n) + ID_EPOCH) : 0;
}
