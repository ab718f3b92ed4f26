/** `value` with the keys of its objects renamed, however deep. What says itself how it is written as JSON stays. */
export function renameKeys(value: unknown, words: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => renameKeys(one, words));
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  return renameFields(value, words);
}

/** The same for an object. */
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
