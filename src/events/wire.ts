/** A JSON object whose fields are still to be checked. */
export type Wire = Readonly<Record<string, unknown>>;

/** Returns `value` if it is a JSON object, else undefined. */
export function wireOf(value: unknown): Wire | undefined {
  return isWire(value) ? value : undefined;
}

function isWire(value: unknown): value is Wire {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object under `key`, or undefined. */
export function objectAt(wire: Wire | undefined, key: string): Wire | undefined {
  return wireOf(wire?.[key]);
}

/** The objects in the array under `key`; other elements are skipped. */
export function objectsAt(wire: Wire | undefined, key: string): readonly Wire[] {
  const value = wire?.[key];
  return Array.isArray(value) ? value.filter(isWire) : [];
}

/** The text under `key`, or undefined when it is absent, empty or not text. */
export function textAt(wire: Wire | undefined, key: string): string | undefined {
  const value = wire?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts in the array under `key`; other elements are skipped. */
export function textsAt(wire: Wire | undefined, key: string): readonly string[] {
  const value = wire?.[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** The number under `key`, or undefined. A text of digits counts as a number: the platform sends both forms. */
export function numberAt(wire: Wire | undefined, key: string): number | undefined {
  const value = wire?.[key];
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  return undefined;
}

/** The boolean under `key`, or undefined. The texts `true` and `false` count: the platform sends both forms. */
export function flagAt(wire: Wire | undefined, key: string): boolean | undefined {
  const value = wire?.[key];
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  return undefined;
}

/**
 * The id under `key`, taken from `<key>_str` if present. Numbers above 2^53 are refused, because they have lost digits.
 */
export function idAt(wire: Wire | undefined, key = "id"): string | undefined {
  const text = textAt(wire, `${key}_str`) ?? textAt(wire, key);
  if (text !== undefined) return text;
  const value = wire?.[key];
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Milliseconds since the epoch from a date text under `key`, in ISO 8601 or the platform's older form. */
export function dateAt(wire: Wire | undefined, key: string): number | undefined {
  const at = Date.parse(textAt(wire, key) ?? "");
  return Number.isNaN(at) ? undefined : at;
}
