/**
 * Converts a text, number or boolean to a text; returns an empty text for other values. Maps of YAML documents have no
 * prototype, so `String()` would throw.
 */
export function asText(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}
