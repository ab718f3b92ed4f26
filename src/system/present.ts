/** Removes undefined items. Returns an array without spare capacity, because rules have ten thousands of such arrays. */
export function present<T>(items: readonly (T | undefined)[]): readonly T[] {
  return items.every((item) => item !== undefined)
    ? items
    : items.filter((item) => item !== undefined);
}
