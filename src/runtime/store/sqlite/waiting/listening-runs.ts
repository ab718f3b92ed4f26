import type { Afterwards } from "../../in-memory/afterwards.ts";
import type { Database } from "../binding.ts";

/**
 * Counter that shows whether any run listens, which means that it waits for an event of its lane. If no run listens, no
 * event needs a query for listening runs.
 *
 * It does not track the lanes of listening runs. A query takes only some microseconds. An index of these lanes would
 * need memory, and a scan of all listening runs when the file is opened.
 */
export class ListeningRuns {
  readonly #afterwards: Afterwards;
  /** Whether a run was listening when the file was opened. Stays true even after those runs have ended. */
  readonly #before: boolean;
  /** Number of runs that began to listen since the file was opened, minus those that stopped. */
  #since = 0;

  constructor(db: Database, afterwards: Afterwards) {
    this.#afterwards = afterwards;
    const one = db.prepare<{ lane: string }>(
      "SELECT lane FROM runs INDEXED BY runs_listening WHERE listens = 1 LIMIT 1",
    );
    this.#before = one.get() !== undefined;
  }

  /** Whether a run may be listening in any lane. False only if no run is listening. */
  any(): boolean {
    return this.#before || this.#since > 0;
  }

  /** Counts a run that begins to listen. Takes effect at once, so that this transaction already finds the run. */
  add(): void {
    this.#since += 1;
    this.#afterwards.elseUndo(() => {
      this.#since -= 1;
    });
  }

  /** Counts a run that stops listening, after the commit. */
  remove(): void {
    this.#afterwards.add(() => {
      this.#since -= 1;
    });
  }
}
