/** Converts a text, number or boolean to a text; returns an empty text for other values. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  const isScalar = typeof value === "number" || typeof value === "boolean";
  return isScalar || typeof value === "bigint" ? String(value) : "";
}
