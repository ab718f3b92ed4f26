/** Brackets, quotes and comments that are open at the end of a YAML line. Earlier lines are not considered. */
export interface OpenAtEnd {
  /** Offsets of unclosed `{` and `[`. */
  readonly brackets: readonly number[];
  /** Offset of an unclosed quote. */
  readonly quote?: number;
  /** Offset of the `#` that begins a comment. */
  readonly comment?: number;
}

/** Finds unclosed constructs of `line`. Quotes and brackets count only at the beginning of a value. */
export function openAtEnd(line: string): OpenAtEnd {
  const brackets: number[] = [];
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? "";
    const before = line.slice(0, at);
    if (char === "#" && /(^|\s)$/.test(before)) return { brackets, comment: at };
    if (line.startsWith("${{", at)) {
      const close = line.indexOf("}}", at);
      if (close < 0) return { brackets };
      at = close + 1;
    } else if ((char === '"' || char === "'") && beginsValue(before)) {
      const end = endOfQuote(line, at);
      if (end === undefined) return { brackets, quote: at };
      at = end;
    } else if ((char === "{" || char === "[") && (brackets.length > 0 || beginsValue(before))) {
      brackets.push(at);
    } else if (char === "}" || char === "]") {
      brackets.pop();
    }
  }
  return { brackets };
}

/** Whether a value may begin after `before`, the beginning of a line. */
export function beginsValue(before: string): boolean {
  const written = before.trimEnd();
  const last = written.at(-1) ?? ":";
  return ":[{,".includes(last) || (last === "-" && /(?:^\s*|: )-$/.test(written));
}

/** Offset of the closing quote of the text that begins at `start`. */
export function endOfQuote(line: string, start: number): number | undefined {
  const quoted = line[start] === '"' ? /"(?:\\.|[^"\\])*"/y : /'(?:''|[^'])*'/y;
  quoted.lastIndex = start;
  const whole = quoted.exec(line)?.[0];
  return whole === undefined ? undefined : start + whole.length - 1;
}

/** A line and its position. */
export interface Line {
  readonly text: string;
  /** Offset of the line in the whole text. */
  readonly start: number;
  /** Line number, counted from 1. */
  readonly number: number;
}

/** Returns the line at `offset` and the lines above it, up to `count` lines together, from bottom to top. */
export function linesUpFrom(text: string, offset: number, count = 200): Line[] {
  const nearbyLines: Line[] = [];
  const at = Math.min(offset, text.length);
  let number = 1;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) {
    number++;
  }
  let start = text.lastIndexOf("\n", at - 1) + 1;
  for (;;) {
    nearbyLines.push({ text: text.slice(start, lineEnd(text, start)), start, number });
    if (start === 0 || nearbyLines.length >= count) return nearbyLines;
    start = text.lastIndexOf("\n", start - 2) + 1;
    number--;
  }
}

/** Returns the offset of the end of a line, without its line break. @param from Any offset in the line. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > from ? end - 1 : end;
}

/** Whether a line is blank or only a comment. */
export function isIdle(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}

/** A map key, or the dash of an item, at the beginning of a line. */
export interface Beginning {
  /** Number of blanks before the key or the dash. */
  readonly indent: number;
  readonly isItem: boolean;
  /** Column of the keys in a list item: in `- say: hello`, the column of `say`. */
  readonly inner: number;
  /** The key with its colon, or the dash. */
  readonly token: string;
}

/** Returns the map key or dash at the beginning of `line`; `undefined` if there is neither. */
export function beginningOf(line: string): Beginning | undefined {
  const [, blanks, dash, key] = /^( *)(- +)?([A-Za-z_][\w.-]*:(?= |$))?/.exec(line) ?? [];
  if (blanks === undefined || (dash === undefined && key === undefined)) {
    return /^ *-$/.test(line)
      ? { indent: line.length - 1, isItem: true, inner: line.length + 1, token: "-" }
      : undefined;
  }
  const indent = blanks.length;
  const isItem = dash !== undefined;
  return { indent, isItem, inner: indent + (dash?.length ?? 0), token: isItem ? "-" : (key ?? "") };
}
