import type { Json } from "../../../protocol/json.ts";

/** Text that stands in each stored value which holds an entry with `mark`. */
export function markText(mark: string): string {
  return JSON.stringify(mark);
}

/**
 * Makes the entries with `mark` unreadable in a stored list of entries: each keeps its numbers, and its texts become empty.
 *
 * @param value JSON, as it is stored. What is not a list of lists stays unchanged.
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
