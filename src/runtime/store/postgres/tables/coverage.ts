import {
  afterChange,
  COVERAGE_COLUMNS,
  type CoverageRow,
  spanOf,
} from "../../rows/coverage-row.ts";
import type { CoverageChange, CoveragePort, CoverageSpan } from "../../coverage.ts";
import type { PostgresDatabase, Statements } from "../database.ts";

/** What is covered, by account and in the order of time. */
export async function coverage(
  db: Statements,
  { account, after }: NonNullable<Parameters<CoveragePort["coverage"]>[0]> = {},
): Promise<readonly CoverageSpan[]> {
  const rows = await db.query<CoverageRow>(
    `SELECT ${COVERAGE_COLUMNS} FROM coverage
     WHERE ($1::text IS NULL OR account = $1) AND ($2::bigint IS NULL OR ends > $2)
     ORDER BY account COLLATE "C", begins`,
    [account, after],
  );
  return rows.map(spanOf);
}

/** Makes the changes in their order, all or none. */
export async function cover(
  db: Pick<PostgresDatabase, "transaction">,
  changes: readonly CoverageChange[],
): Promise<void> {
  const meant = changes.filter(({ from, to }) => from < to);
  if (meant.length === 0) return;
  await db.transaction(async (tx) => {
    // Changes of one account are made one after the other, whoever makes them.
    const accounts = [...new Set(meant.map(({ account }) => account))].toSorted();
    for (const account of accounts) {
      await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('coverage ' || $1, 0))", [
        account,
      ]);
    }
    for (const change of meant) await make(tx, change);
  });
}

async function make(tx: Statements, change: CoverageChange): Promise<void> {
  const { account, from, to } = change;
  const touched = await tx.query<CoverageRow>(
    `WITH touched AS (
       DELETE FROM coverage WHERE account = $1 AND ends >= $2 AND begins <= $3 RETURNING ${COVERAGE_COLUMNS})
     SELECT * FROM touched ORDER BY begins`,
    [account, from, to],
  );
  for (const row of afterChange(touched, change)) {
    await tx.query(`INSERT INTO coverage (${COVERAGE_COLUMNS}) VALUES ($1, $2, $3, $4, $5)`, [
      account,
      row.begins,
      row.ends,
      row.state,
      row.reason,
    ]);
  }
}
