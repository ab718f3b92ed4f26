/** Values that grow without end would be sent, stored and shown; no reply needs more. */
export const MAX_VALUE = 100_000;

/** A variable is kept with each run. */
export const MAX_VARIABLE = 10_000;

/**
 * Is `value` at most `most` characters long as JSON, about? A list that stands in several places
 * counts in each: a few lines of lists of lists would be more than memory holds.
 */
export function isWithin(value: unknown, most: number): boolean {
  let left = most;
  const take = (one: unknown, depth: number): boolean => {
    left -= typeof one === "string" ? one.length + 2 : 4;
    if (left < 0 || depth > MAX_DEPTH) return false;
    if (typeof one !== "object" || one === null) return true;
    const members: Iterable<unknown> =
      one instanceof Map ? one.values() : Array.isArray(one) ? one : Object.values(one);
    for (const member of members) {
      if (!take(member, depth + 1)) return false;
    }
    return true;
  };
  return take(value, 0);
}

const MAX_DEPTH = 50;
