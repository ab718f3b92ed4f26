/** Entry of a list file. */
export interface ListLine {
  readonly text: string;
  /** Line number, from 1. */
  readonly line: number;
}

/**
 * Returns the entries of a list file, one per line, without white space around them.
 *
 * Ignores empty lines and comments: lines that are `#` alone or begin with `#` and a blank. `#tag` is an entry.
 */
export function linesOfList(text: string): readonly ListLine[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((entry) => entry.text !== "" && !/^#(?:\s|$)/.test(entry.text));
}
