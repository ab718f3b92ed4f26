/** Removes undefined items. The result has no spare capacity, because rules have tens of thousands of such arrays. */
export function present<T>(items: readonly (T | undefined)[]): readonly T[] {
  return items.every((item) => item !== undefined)
    ? items
    : items.filter((item) => item !== undefined);
}
