import type { Database } from "../binding.ts";
import type { Operations } from "../calls.ts";
import type { Leases } from "../leases.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "../../rows/rows.ts";
import type { StoredRun } from "../../run.ts";

/** Which open runs hold a slot, or queue for it. */
export class Slots {
  readonly #leases: Leases;
  readonly #of;
  readonly #wake;

  constructor(db: Database, leases: Leases) {
    this.#leases = leases;
    this.#of = db.prepare<RunRow>(
      `SELECT ${RUN_COLUMNS} FROM runs
       WHERE slot = ? AND slot IS NOT NULL AND status IN ('ready', 'waiting') ORDER BY ordinal`,
    );
    this.#wake = db.prepare(
      `UPDATE timers SET due_at = ? WHERE id = (
         SELECT t.id FROM runs AS r JOIN timers AS t ON t.id = r.waits_for
         WHERE r.slot = ? AND r.slot IS NOT NULL AND r.status IN ('ready', 'waiting')
           AND r.queues = 1 AND t.due_at > ?
         ORDER BY r.ordinal LIMIT 1)`,
    );
  }

  readonly slots: Operations["slots"] = (names) => {
    const found = new Map<string, readonly StoredRun[]>();
    for (const name of names) {
      const runs = this.of(name);
      if (runs.length > 0) found.set(name, runs);
    }
    return found;
  };

  of(slot: string): readonly StoredRun[] {
    return this.#of.all(slot).map((row) => toRun(row, this.#leases.partitionOf(row.lane)));
  }

  /** One that held the slot has ended: the next that queues and was not woken yet has its turn at `at`. */
  wakeNext(slot: string, at: number): void {
    this.#wake.run(at, slot, at);
  }
}
