import { isPlainMap } from "./plain-map.ts";

/** Returns whether two values differ only in the names and the order of keys. */
export function sameShape(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameShape(item, other[index]));
  }
  if (!isPlainMap(one) || !isPlainMap(other)) return one === other;
  const shared = Object.keys(one).filter((key) => Object.hasOwn(other, key));
  const listUnsharedValues = (map: Readonly<Record<string, unknown>>): readonly unknown[] =>
    Object.entries(map).flatMap(([key, value]) => (shared.includes(key) ? [] : [value]));
  return (
    shared.every((key) => sameShape(one[key], other[key])) &&
    sameShape(listUnsharedValues(one), listUnsharedValues(other))
  );
}

/** Returns whether two values are equal, regardless of the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  const keys = (value: unknown): string =>
    isPlainMap(value) ? Object.keys(value).toSorted().join(" ") : "";
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isPlainMap(one) || !isPlainMap(other)) return one === other;
  return keys(one) === keys(other) && Object.keys(one).every((key) => isSame(one[key], other[key]));
}
