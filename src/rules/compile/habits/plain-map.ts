/** A map in a file, with keys of this language or of other tools. */
export type WrittenMap = Readonly<Record<string, unknown>>;

export function isPlainMap(value: unknown): value is WrittenMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Copies a map without some of its keys. */
export function without(map: WrittenMap, keys: readonly string[]): WrittenMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}
