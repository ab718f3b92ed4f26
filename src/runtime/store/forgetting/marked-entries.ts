import type { Json } from "../../../protocol/json.ts";

/** Returns `mark` in the form that it has inside stored JSON text, to search for it there. */
export function markText(mark: string): string {
  return JSON.stringify(mark);
}

/**
 * Erases the texts of those entries of a stored list that contain `mark`: `[7,"key","mark"]` becomes `[7,"",""]`.
 *
 * @param value Stored JSON text. A value that is not a list is returned unchanged, and so are members that are not lists.
 */
export function withoutMarked(value: string, mark: string): string {
  const stored: Json = JSON.parse(value);
  if (!Array.isArray(stored)) return value;
  const entries = stored.map((entry) =>
    Array.isArray(entry) && entry.includes(mark)
      ? entry.map((member) => (typeof member === "string" ? "" : member))
      : entry,
  );
  return JSON.stringify(entries);
}
