import type {
  CoverageChange,
  CoverageGap,
  CoverageSpan,
} from "../../../src/runtime/store/coverage.ts";

/** Covered spans of each account's time. */
export class ModelCoverage {
  #spans: readonly CoverageSpan[] = [];

  list(query: { readonly account?: string; readonly after?: number } = {}): CoverageSpan[] {
    const { account, after = -Infinity } = query;
    return this.#spans
      .filter((span) => (account === undefined || span.account === account) && span.to > after)
      .sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : a.from - b.from));
  }

  gaps(query: { readonly account?: string } = {}): CoverageGap[] {
    const spans = this.list(query);
    return spans.flatMap(({ account, to: from }, at) => {
      const next = spans[at + 1];
      return next?.account === account && next.from > from
        ? [{ account, from, to: next.from }]
        : [];
    });
  }

  cover(changes: readonly CoverageChange[]): void {
    for (const change of changes) if (change.from < change.to) this.#change(change);
  }

  prune(before: number): void {
    this.#spans = this.#spans.filter(({ to }) => to >= before);
  }

  #change({ account, from, to, state, reason }: CoverageChange): void {
    let [begins, ends] = [from, to];
    const remaining = this.#spans.flatMap((span): CoverageSpan[] => {
      if (span.account !== account || span.to < from || span.from > to) return [span];
      if (span.state === state && span.reason === reason) {
        begins = Math.min(begins, span.from);
        ends = Math.max(ends, span.to);
        return [];
      }
      return [
        ...(span.from < from ? [{ ...span, to: from }] : []),
        ...(span.to > to ? [{ ...span, from: to }] : []),
      ];
    });
    const why = reason === undefined ? {} : { reason };
    this.#spans =
      state === "open"
        ? remaining
        : [...remaining, { account, from: begins, to: ends, state, ...why }];
  }
}
