import type { Afterwards } from "../../in-mind/afterwards.ts";
import type { Database } from "../binding.ts";

/**
 * Whether any run listens at all: where none does, no event costs a look into the file for those of its lane.
 *
 * It knows no lanes. A look costs some microseconds however many runs listen, and to know all their lanes would take
 * memory, and a walk through all of them when the file is opened.
 */
export class ListeningRuns {
  readonly #afterwards: Afterwards;
  /** Some did when the file was opened; when they end is not followed. */
  readonly #before: boolean;
  /** Those that have begun since, less those that have ended. */
  #since = 0;

  constructor(db: Database, afterwards: Afterwards) {
    this.#afterwards = afterwards;
    const one = db.prepare<{ lane: string }>(
      "SELECT lane FROM runs INDEXED BY runs_listening WHERE listens = 1 LIMIT 1",
    );
    this.#before = one.get() !== undefined;
  }

  /** False: nobody listens anywhere. */
  any(): boolean {
    return this.#before || this.#since > 0;
  }

  /** A run begins to listen; the rest of this transaction has to know. */
  add(): void {
    this.#since += 1;
    this.#afterwards.elseUndo(() => {
      this.#since -= 1;
    });
  }

  /** It listens no longer. */
  remove(): void {
    this.#afterwards.add(() => {
      this.#since -= 1;
    });
  }
}
