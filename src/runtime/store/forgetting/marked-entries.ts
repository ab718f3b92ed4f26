import type { Json } from "../../../protocol/json.ts";

/** Returns the text that every stored value with an entry of `mark` contains. */
export function markText(mark: string): string {
  return JSON.stringify(mark);
}

/**
 * Makes the entries with `mark` unreadable in a stored list: each keeps its numbers, and its texts become empty.
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
