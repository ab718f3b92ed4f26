import { afterChange, coverageGapsSql, type CoverageRow, spanOf } from "../tables/coverage-row.ts";
import { listed } from "../tables/columns.ts";
import { COVERAGE } from "../tables/tables.ts";
import type { CoverageChange, CoverageGap } from "../coverage.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import { rowInsert } from "./row-writes.ts";
import { Select } from "./select.ts";

/** Table of coverage: for which periods of an account's time all its events have arrived. */
export class CoverageTable {
  readonly #list;
  readonly #gaps;
  readonly #gapsOf;
  readonly #touching;
  readonly #drop;
  readonly #put;
  readonly #prune;

  constructor(db: Database) {
    this.#list = new Select<CoverageRow>(db);
    this.#gaps = db.prepare<CoverageGap>(`${coverageGapsSql("coverage")} ORDER BY account, ends`);
    this.#gapsOf = db.prepare<CoverageGap>(
      `${coverageGapsSql("coverage WHERE account = ?")} ORDER BY ends`,
    );
    this.#touching = db.prepare<CoverageRow>(
      `SELECT ${listed(COVERAGE)} FROM coverage WHERE account = ? AND ends >= ? AND begins <= ? ORDER BY begins`,
    );
    this.#drop = db.prepare("DELETE FROM coverage WHERE account = ? AND begins = ?");
    this.#put = rowInsert(db, COVERAGE);
    this.#prune = db.prepare("DELETE FROM coverage WHERE ends < ?");
  }

  readonly coverage: Operations["coverage"] = ({ account, after } = {}) =>
    this.#list
      .all(`SELECT ${listed(COVERAGE)} FROM coverage`, "account, begins", [
        ["account = ?", account],
        ["ends > ?", after],
      ])
      .map(spanOf);

  readonly coverageGaps: Operations["coverageGaps"] = ({ account } = {}) =>
    account === undefined ? this.#gaps.all() : this.#gapsOf.all(account);

  readonly cover: Operations["cover"] = (changes) => {
    for (const change of changes) if (change.from < change.to) this.#change(change);
  };

  prune(before: number): void {
    this.#prune.run(before);
  }

  #change(change: CoverageChange): void {
    const { account, from, to } = change;
    const touched = this.#touching.all(account, from, to);
    for (const { begins } of touched) this.#drop.run(account, begins);
    const rows = afterChange(touched, change);
    for (const row of rows) this.#put(row);
  }
}
