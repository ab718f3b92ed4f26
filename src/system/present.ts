/** Those that are there, in an array without room for more: of most arrays of rules there are ten thousands. */
export function present<T>(items: readonly (T | undefined)[]): readonly T[] {
  return items.every((item) => item !== undefined)
    ? items
    : items.filter((item) => item !== undefined);
}
