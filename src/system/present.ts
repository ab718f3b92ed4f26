/** Removes undefined items. Returns an array without spare capacity, because rules have tens of thousands of them. */
export function present<T>(items: readonly (T | undefined)[]): readonly T[] {
  return items.every((item) => item !== undefined)
    ? items
    : items.filter((item) => item !== undefined);
}
