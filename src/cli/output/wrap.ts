import { stripVTControlCharacters } from "node:util";

/** A text in lines of at most `width` columns, broken between words; one word alone may be longer. */
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

/** Columns that a text takes, whatever its colours. */
const shown = (text: string): number => stripVTControlCharacters(text).length;

/** How much further right than its beginning a line goes on. */
const HANG = 4;
/** A line further right than this goes on as if it began there: there is room for words. */
const DEEPEST = 20;

/**
 * Lines as they are, those that are longer than `width` broken between words and going on further right.
 *
 * @param width Undefined: nothing is broken.
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
