/** Range of numbers, such as times in milliseconds: `from` inclusive, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Merges overlapping and adjacent ranges, in order. Empty ranges are dropped. */
export function union(spans: readonly Span[]): readonly Span[] {
  const merged: { from: number; to: number }[] = [];
  const ordered = spans.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from);
  for (const { from, to } of ordered) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Returns the parts of `span` that no range in `others` covers, in order. */
export function without(span: Span, others: readonly Span[]): readonly Span[] {
  const remainingSpans: Span[] = [];
  let { from } = span;
  for (const other of union(others)) {
    if (other.to <= from || other.from >= span.to) continue;
    if (other.from > from) remainingSpans.push({ from, to: other.from });
    from = other.to;
  }
  return from < span.to ? [...remainingSpans, { from, to: span.to }] : remainingSpans;
}

/** Returns the intersection of two ranges; undefined if they do not overlap. */
export function overlap(one: Span, other: Span): Span | undefined {
  const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
  return from < to ? { from, to } : undefined;
}

/** Returns the total length of ranges; overlaps count once. */
export function lengthOf(spans: readonly Span[]): number {
  return union(spans).reduce((sum, { from, to }) => sum + to - from, 0);
}
