/** Epoch of the platform's ids, in milliseconds since 1970. */
const ID_EPOCH = 1_288_834_974_657n;

/** Creation time of an object in milliseconds since 1970, calculated from its id; 0 if the id is no number. */
export function madeAt(id: string): number {
  return /^\d{1,19}$/.test(id) ? Number((BigInt(id) >> 22n) + ID_EPOCH) : 0;
}
