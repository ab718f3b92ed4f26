import type { CoverageChange, CoverageSpan } from "../coverage.ts";
import { recordOf, type RowOf } from "./columns.ts";
import { COVERAGE } from "./tables.ts";

/** Finds where the next span of an account, of the `spans` that are looked at, does not begin at the end of the one before it. */
export function coverageGapsSql(spans: string): string {
  return `SELECT account, ends AS "from", next AS "to" FROM (
    SELECT account, ends, lead(begins) OVER (PARTITION BY account ORDER BY begins) AS next FROM ${spans}
  ) AS spans WHERE next > ends`;
}

/** A stretch of an account's time as a table has it. */
export type CoverageRow = RowOf<typeof COVERAGE>;

export function spanOf(row: CoverageRow): CoverageSpan {
  const { begins: from, ends: to, ...span } = recordOf(COVERAGE, row);
  return { ...span, from, to };
}

/** What takes the place of the stretches of an account that a change touches, so that those who say the same are one. */
export function afterChange(
  touched: readonly CoverageRow[],
  { account, from, to, state, ...why }: CoverageChange,
): readonly CoverageRow[] {
  const reason = why.reason ?? null;
  let [begins, ends] = [from, to];
  const kept: CoverageRow[] = [];
  for (const row of touched) {
    if (row.state === state && row.reason === reason) {
      begins = Math.min(begins, row.begins);
      ends = Math.max(ends, row.ends);
      continue;
    }
    if (row.begins < from) kept.push({ ...row, ends: from });
    if (row.ends > to) kept.push({ ...row, begins: to });
  }
  if (state !== "open") kept.push({ account, begins, ends, state, reason });
  return kept;
}
