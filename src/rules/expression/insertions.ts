/** Expression with inserted texts, and a mapping of its offsets to the original. */
export interface ChangedSource {
  readonly source: string;
  /** Converts an offset in the changed source to the offset in the original source. */
  readonly written: (offset: number) => number;
}

/** Text to insert before the character at `at`. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Inserts texts into an expression. Texts for the same place keep their order. */
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
