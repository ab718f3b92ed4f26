/** What one line of YAML leaves open at its end, read without the lines around it. */
export interface OpenAtEnd {
  /** Offsets of `{` and `[` that are not closed. */
  readonly brackets: readonly number[];
  /** Offset of a quote that is not closed. */
  readonly quote?: number;
  /** Offset of the `#` that begins a comment. */
  readonly comment?: number;
}

/** Reads `line` for what it opens: quotes and brackets count where a value may begin only. */
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

function beginsValue(before: string): boolean {
  return /(^|[:[{,]|^\s*-|: -)\s*$/.test(before);
}

/** Offset of the quote that ends the text which begins at `start`. */
export function endOfQuote(line: string, start: number): number | undefined {
  const quoted = line[start] === '"' ? /"(?:\\.|[^"\\])*"/y : /'(?:''|[^'])*'/y;
  quoted.lastIndex = start;
  const whole = quoted.exec(line)?.[0];
  return whole === undefined ? undefined : start + whole.length - 1;
}

/** A line, and where it stands. */
export interface Line {
  readonly text: string;
  /** Offset in the whole text. */
  readonly start: number;
  /** Counted from 1. */
  readonly number: number;
}

/** The line that `offset` is in, and those above it, nearest first; at most `count`. */
export function linesUpFrom(text: string, offset: number, count = 200): Line[] {
  const found: Line[] = [];
  const at = Math.min(offset, text.length);
  let number = 1;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) {
    number++;
  }
  let start = text.lastIndexOf("\n", at - 1) + 1;
  for (;;) {
    found.push({ text: text.slice(start, lineEnd(text, start)), start, number });
    if (start === 0 || found.length >= count) return found;
    start = text.lastIndexOf("\n", start - 2) + 1;
    number--;
  }
}

/** Offset of the end of the line that `from` is in, its line break not included. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > from ? end - 1 : end;
}

/** Blank, or nothing but a comment. */
export function isIdle(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}

/** A key of a map, or the dash of an item, at the beginning of a line. */
export interface Beginning {
  /** Columns of blanks before it, counted from 0. */
  readonly indent: number;
  readonly isItem: boolean;
  /** The column at which the item's own keys stand. */
  readonly inner: number;
  /** The key with its colon, or the dash. */
  readonly token: string;
}

/** How `line` begins; `undefined` when with neither key nor dash. */
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
