import type { Database } from "../binding.ts";
import type { Operations } from "../calls.ts";
import type { Leases } from "../leases.ts";
import { listed } from "../../tables/columns.ts";
import { type RunRow, toRun } from "../../tables/rows.ts";
import { RUNS } from "../../tables/tables.ts";
import type { StoredRun } from "../../run.ts";

/** Which open runs hold a slot, or queue for it. */
export class Slots {
  readonly #leases: Leases;
  readonly #of;

  constructor(db: Database, leases: Leases) {
    this.#leases = leases;
    this.#of = db.prepare<RunRow>(
      `SELECT ${listed(RUNS)} FROM runs
       WHERE slot = ? AND slot IS NOT NULL AND status IN ('ready', 'waiting') ORDER BY ordinal`,
    );
  }

  readonly slots: Operations["slots"] = (names) => {
    const found = new Map<string, readonly StoredRun[]>();
    for (const name of names) {
      const runs = this.holders(name);
      if (runs.length > 0) found.set(name, runs);
    }
    return found;
  };

  /** The open runs of a slot, in the order in which they were started. */
  holders(slot: string): readonly StoredRun[] {
    return this.#of.all(slot).map((row) => toRun(row, this.#leases.partitionOf(row.lane)));
  }
}
