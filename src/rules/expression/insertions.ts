/** An expression with something put into it, and where its parts stood as it was written. */
export interface ChangedSource {
  readonly source: string;
  /** The offset in what was written. */
  readonly written: (offset: number) => number;
}

/** A text to be put before the character at `at`. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Puts texts into an expression; of two at one place the earlier one comes first. */
export function withInsertions(source: string, insertions: readonly Insertion[]): ChangedSource {
  const sorted = [...insertions].sort((a, b) => a.at - b.at);
  let changed = "";
  let from = 0;
  for (const { at, text } of sorted) {
    changed += source.slice(from, at) + text;
    from = at;
  }
  changed += source.slice(from);
  const written = (offset: number): number => {
    let put = 0;
    for (const { at, text } of sorted) {
      if (at + put >= offset) break;
      put += Math.min(text.length, offset - at - put);
    }
    return offset - put;
  };
  return { source: changed, written };
}
