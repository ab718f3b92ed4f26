import type { CoverageChange, CoverageSpan } from "../coverage.ts";
import { recordOf, type RowOf } from "./columns.ts";
import { COVERAGE } from "./tables.ts";

/**
 * Builds a query for gaps between consecutive spans of an account.
 *
 * @param spans Table name, plus an optional WHERE clause.
 */
export function coverageGapsSql(spans: string): string {
  return `SELECT account, ends AS "from", next AS "to" FROM (
    SELECT account, ends, lead(begins) OVER (PARTITION BY account ORDER BY begins) AS next FROM ${spans}
  ) AS spans WHERE next > ends`;
}

/** Stored coverage span: a period of an account with one coverage state. */
export type CoverageRow = RowOf<typeof COVERAGE>;

export function spanOf(row: CoverageRow): CoverageSpan {
  const { begins: from, ends: to, ...span } = recordOf(COVERAGE, row);
  return { ...span, from, to };
}

/**
 * Returns the rows that replace `touched` after a change. Merges spans with the same state and reason.
 *
 * @param touched Stored spans that overlap or touch the time of the change.
 */
export function afterChange(
  touched: readonly CoverageRow[],
  { account, from, to, state, ...why }: CoverageChange,
): readonly CoverageRow[] {
  const reason = why.reason ?? null;
  let [begins, ends] = [from, to];
  const rows: CoverageRow[] = [];
  for (const row of touched) {
    if (row.state === state && row.reason === reason) {
      begins = Math.min(begins, row.begins);
      ends = Math.max(ends, row.ends);
      continue;
    }
    if (row.begins < from) rows.push({ ...row, ends: from });
    if (row.ends > to) rows.push({ ...row, begins: to });
  }
  if (state !== "open") rows.push({ account, begins, ends, state, reason });
  return rows;
}
