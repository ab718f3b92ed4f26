/** A wrong token within a string value of a YAML file. */
export interface TextPart {
  /** The decoded value, without its YAML quotes and escapes, or a part of the value. */
  readonly text: string;
  /** Start of the wrong token in `text`; default 0. */
  readonly offset?: number;
  /** Length of the wrong token; default up to the end of the text. */
  readonly length?: number;
}

/**
 * Locates a token of a decoded string value in `source`, the YAML text, where the value may be folded, indented or
 * escaped. Searches `source` for the whole value, else for the line with the token, else for the token alone. If the
 * text occurs several times, the nth occurrence in the value is the nth in `source`.
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
  for (let remainingMatches = index; at >= 0 && remainingMatches > 0; remainingMatches--)
    at = text.indexOf(piece, at + 1);
  return at < 0 ? undefined : at;
}
