/** Converts a text, number or boolean to a text; returns an empty text for a map, a list and null. */
export function asText(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}
