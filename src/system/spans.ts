/** A stretch of numbers, such as times in milliseconds: from `from` up to, but without, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The same stretches, in order, without overlaps: those that meet become one. Empty ones are left out. */
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

/** What is in `span` and in none of `others`, in order. */
export function without(span: Span, others: readonly Span[]): readonly Span[] {
  const left: Span[] = [];
  let { from } = span;
  for (const other of union(others)) {
    if (other.to <= from || other.from >= span.to) continue;
    if (other.from > from) left.push({ from, to: other.from });
    from = other.to;
  }
  return from < span.to ? [...left, { from, to: span.to }] : left;
}

/** What is in both; undefined when they do not overlap. */
export function overlap(one: Span, other: Span): Span | undefined {
  const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
  return from < to ? { from, to } : undefined;
}

/** How much all of them are together; what is in several counts once. */
export function lengthOf(spans: readonly Span[]): number {
  return union(spans).reduce((sum, { from, to }) => sum + to - from, 0);
}
