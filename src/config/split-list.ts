/** Splits a list at its commas, except those in the braces of a glob such as `rules/*.{yaml,yml}`. */
export function splitList(text: string): string[] {
  return text
    .split(/,(?![^{}]*\})/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
