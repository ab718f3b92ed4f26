/** A token of a value that is text. */
export interface TextPart {
  /** The value, or a stretch of it. */
  readonly text: string;
  /** Where in that text the wrong token starts. 0 unless given. */
  readonly offset?: number;
  /** Length of the wrong token. To the end of the text unless given. */
  readonly length?: number;
}

/**
 * Where the token stands in `source`, which may be written otherwise than the value reads: folded,
 * indented, with escapes. Whole, else by its line, else by the token and how often it came before.
 */
export function spotIn(
  source: string,
  { text, offset = 0, length = text.length - offset }: TextPart,
): { readonly start: number; readonly end: number } | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const stretches = [
    { from: 0, to: text.length },
    { from: lineStart, to: lineEnd < 0 ? text.length : lineEnd },
    { from: offset, to: offset + length },
  ];
  for (const { from, to } of stretches) {
    const piece = text.slice(from, to);
    if (piece.trim() === "") continue;
    const at = nth(source, piece, countBefore(text, piece, from));
    if (at !== undefined) return { start: at + offset - from, end: at + offset - from + length };
  }
  return undefined;
}

function countBefore(text: string, piece: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0 && at < end; at = text.indexOf(piece, at + 1)) count++;
  return count;
}

function nth(text: string, piece: string, index: number): number | undefined {
  let at = text.indexOf(piece);
  for (let left = index; at >= 0 && left > 0; left--) at = text.indexOf(piece, at + 1);
  return at < 0 ? undefined : at;
}
