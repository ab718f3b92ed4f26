import {
  afterChange,
  coverageGapsSql,
  type CoverageRow,
  spanOf,
} from "../../tables/coverage-row.ts";
import { listed } from "../../tables/columns.ts";
import { COVERAGE } from "../../tables/tables.ts";
import type { CoverageChange, CoverageGap, CoveragePort, CoverageSpan } from "../../coverage.ts";
import type { PostgresDatabase, Statements } from "../database.ts";
import { StatementValues } from "../params.ts";

/** Lists covered spans by account and time. */
export async function coverage(
  db: Statements,
  { account, after }: NonNullable<Parameters<CoveragePort["coverage"]>[0]> = {},
): Promise<readonly CoverageSpan[]> {
  const rows = await db.query<CoverageRow>(
    `SELECT ${listed(COVERAGE)} FROM coverage
     WHERE ($1::text IS NULL OR account = $1) AND ($2::bigint IS NULL OR ends > $2)
     ORDER BY account COLLATE "C", begins`,
    [account, after],
  );
  return rows.map(spanOf);
}

/** Lists gaps between the spans of one account or of every account, by account and time. */
export function coverageGaps(
  db: Statements,
  { account }: NonNullable<Parameters<CoveragePort["coverageGaps"]>[0]> = {},
): Promise<readonly CoverageGap[]> {
  return account === undefined
    ? db.query<CoverageGap>(GAPS)
    : db.query<CoverageGap>(GAPS_OF_ACCOUNT, [account]);
}

const GAPS = `${coverageGapsSql("coverage")} ORDER BY account COLLATE "C", ends`;
const GAPS_OF_ACCOUNT = `${coverageGapsSql("coverage WHERE account = $1")} ORDER BY ends`;

/** Applies the changes in their order, all or none. */
export async function cover(
  db: Pick<PostgresDatabase, "transaction">,
  changes: readonly CoverageChange[],
): Promise<void> {
  const meant = changes.filter(({ from, to }) => from < to);
  if (meant.length === 0) return;
  await db.transaction(async (tx) => {
    // A single lock serializes all changes. With a lock for each account, a call could need thousands of locks.
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('answerback/coverage', 0))");
    for (const round of roundsOf(meant)) await make(tx, round);
  });
}

/**
 * Splits the changes into rounds with at most one change for each account. Keeps the order of each account's changes.
 */
function roundsOf(
  changes: readonly CoverageChange[],
): readonly ReadonlyMap<string, CoverageChange>[] {
  const rounds: Map<string, CoverageChange>[] = [];
  const counts = new Map<string, number>();
  for (const change of changes) {
    const { account } = change;
    const at = counts.get(account) ?? 0;
    counts.set(account, at + 1);
    const round = rounds[at] ?? new Map<string, CoverageChange>();
    rounds[at] = round.set(account, change);
  }
  return rounds;
}

async function make(tx: Statements, round: ReadonlyMap<string, CoverageChange>): Promise<void> {
  const params = new StatementValues();
  const table = params.table(
    "g",
    { account: "text", since: "bigint", until: "bigint" },
    [...round.values()].map(({ account, from, to }) => ({ account, since: from, until: to })),
  );
  const deleted = await tx.query<CoverageRow>(
    `DELETE FROM coverage AS c USING ${table}
     WHERE c.account = g.account AND c.ends >= g.since AND c.begins <= g.until
     RETURNING ${listed(COVERAGE, "c")}`,
    params.values,
  );
  const touched = new Map<string, CoverageRow[]>();
  for (const row of deleted.toSorted((a, b) => a.begins - b.begins)) {
    const own = touched.get(row.account);
    if (own === undefined) touched.set(row.account, [row]);
    else own.push(row);
  }
  const rows = [...round].flatMap(([account, change]) =>
    afterChange(touched.get(account) ?? [], change).map((row) => ({ ...row, account })),
  );
  if (rows.length === 0) return;
  const inserted = new StatementValues();
  await tx.query(inserted.insert("coverage", COVERAGE, rows), inserted.values);
}
