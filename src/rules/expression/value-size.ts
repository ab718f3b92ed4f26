/** Maximum length in characters of a value, which may be sent, stored and shown. No reply needs more. */
export const MAX_VALUE = 100_000;

/** Maximum length in characters of a variable, which is stored with each run. */
export const MAX_VARIABLE = 10_000;

/**
 * Returns whether `value` has at most about `most` characters as JSON. A list that occurs several times counts each
 * time, since a few lines with nested lists could otherwise exceed the memory.
 */
export function isWithin(value: unknown, most: number): boolean {
  let remainingSize = most;
  const take = (one: unknown, depth: number): boolean => {
    remainingSize -= typeof one === "string" ? one.length + 2 : 4;
    if (remainingSize < 0 || depth > MAX_DEPTH) return false;
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
