/** Renames the keys of all nested objects. Objects with `toJSON` stay unchanged. */
export function renameKeys(value: unknown, words: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => renameKeys(one, words));
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  return renameFields(value, words);
}

/** Renames the keys of an object and of all objects nested in it. */
export function renameFields(
  fields: object,
  words: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, inner]: [string, unknown]) => [
      words.get(key) ?? key,
      renameKeys(inner, words),
    ]),
  );
}
