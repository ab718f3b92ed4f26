import type { DecisionWrite } from "../machine/port.ts";
import type { Database } from "./binding.ts";

/** What was decided on each event, the last time. */
export class Decisions {
  readonly #record;

  constructor(db: Database) {
    this.#record = db.prepare(
      `INSERT INTO decisions (seq, state, attempts, decided_at, decision) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (seq) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
         decided_at = excluded.decided_at, decision = excluded.decision`,
    );
  }

  keep({ seq, state, attempts, at, text }: DecisionWrite): void {
    this.#record.run(seq, state, attempts, at, text);
  }
}
