import type { CoverageChange, CoverageSpan, CoverageState } from "../coverage.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import { Select } from "./select.ts";

interface CoverageRow {
  readonly account: string;
  readonly begins: number;
  readonly ends: number;
  readonly state: CoverageState;
  readonly reason: string | null;
}

/** Which stretches of each account's time are covered, and how. */
export class CoverageTable {
  readonly #list;
  readonly #touching;
  readonly #drop;
  readonly #put;
  readonly #prune;

  constructor(db: Database) {
    this.#list = new Select<CoverageRow>(db);
    this.#touching = db.prepare<CoverageRow>(
      `SELECT ${COLUMNS} FROM coverage WHERE account = ? AND ends >= ? AND begins <= ? ORDER BY begins`,
    );
    this.#drop = db.prepare("DELETE FROM coverage WHERE account = ? AND begins = ?");
    this.#put = db.prepare(`INSERT INTO coverage (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`);
    this.#prune = db.prepare("DELETE FROM coverage WHERE ends < ?");
  }

  readonly coverage: Operations["coverage"] = ({ account, after } = {}) =>
    this.#list
      .all(`SELECT ${COLUMNS} FROM coverage`, "account, begins", [
        ["account = ?", account],
        ["ends > ?", after],
      ])
      .map(spanOf);

  readonly cover: Operations["cover"] = (changes) => {
    for (const change of changes) if (change.from < change.to) this.#change(change);
  };

  prune(before: number): void {
    this.#prune.run(before);
  }

  #change({ account, from, to, state, ...why }: CoverageChange): void {
    const reason = why.reason ?? null;
    let [begins, ends] = [from, to];
    const kept: CoverageRow[] = [];
    for (const row of this.#touching.all(account, from, to)) {
      this.#drop.run(account, row.begins);
      if (row.state === state && row.reason === reason) {
        begins = Math.min(begins, row.begins);
        ends = Math.max(ends, row.ends);
        continue;
      }
      if (row.begins < from) kept.push({ ...row, ends: from });
      if (row.ends > to) kept.push({ ...row, begins: to });
    }
    if (state !== "open") kept.push({ account, begins, ends, state, reason });
    for (const row of kept) this.#put.run(account, row.begins, row.ends, row.state, row.reason);
  }
}

const COLUMNS = "account, begins, ends, state, reason";

function spanOf({ account, begins: from, ends: to, state, reason }: CoverageRow): CoverageSpan {
  return { account, from, to, state, ...(reason !== null && { reason }) };
}
