import { stripVTControlCharacters } from "node:util";

/** Wraps a text between words to at most `width` columns; a longer word stays whole. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && shown(line) + 1 + shown(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Number of visible columns of a text; colour codes are not counted. */
const shown = (text: string): number => stripVTControlCharacters(text).length;

/** Additional indentation of continuation lines, in columns. */
const HANG = 4;
/** Maximum column to which continuation lines are aligned, so that their words have room. */
const DEEPEST = 20;

/**
 * Wraps lines that are longer than `width` between words. Continuation lines are indented further.
 *
 * @param width Columns; undefined for no wrapping.
 */
export function wrapLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  const lines = text.split("\n").flatMap((line) => {
    if (shown(line) <= width) return line;
    const indent = line.length - line.trimStart().length;
    const hang = Math.min(indent + HANG, DEEPEST);
    const [first = "", ...rest] = wrap(
      line.trimStart(),
      Math.max(width - Math.max(hang, indent), 1),
    );
    return [" ".repeat(indent) + first, ...rest.map((more) => " ".repeat(hang) + more)];
  });
  return lines.join("\n");
}
