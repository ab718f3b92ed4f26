/** An entry of a list file. */
export interface ListLine {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * The entries of a list file: one a line, white space around them left out.
 *
 * Empty lines count for nothing, and neither do those that are `#` alone or begin with `#` and a blank:
 * `#tag` is an entry.
 */
export function linesOfList(text: string): readonly ListLine[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((entry) => entry.text !== "" && !/^#(?:\s|$)/.test(entry.text));
}
