import type { Afterwards } from "../afterwards.ts";
import type { Database } from "../binding.ts";

/**
 * Lanes in which a run may listen, in memory: so that an event of any other lane costs no look into the
 * file.
 *
 * It counts lanes by a hash of their name and keeps no names: 8 MB at most, of which the system hands out
 * what is used. Two lanes of one hash cost a look in vain; a count that is full stays so.
 */
export class ListeningLanes {
  readonly #counts = new Uint8Array(SLOTS);
  readonly #afterwards: Afterwards;

  constructor(db: Database, afterwards: Afterwards) {
    this.#afterwards = afterwards;
    const page = db.prepare<{ lane: string; ordinal: number }>(
      `SELECT lane, ordinal FROM runs INDEXED BY runs_listening
       WHERE listens = 1 AND (lane, ordinal) > (?, ?) ORDER BY lane, ordinal LIMIT ?`,
    );
    let [lane, ordinal] = ["", -1];
    for (let rows = page.all(lane, ordinal, PAGE); ; rows = page.all(lane, ordinal, PAGE)) {
      for (const row of rows) this.#count(row.lane, 1);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      ({ lane, ordinal } = last);
    }
  }

  /** False: nobody listens there. */
  mayListen(lane: string): boolean {
    return this.#counts[slotOf(lane)] !== 0;
  }

  /** A run of the lane begins to listen; the rest of this transaction has to know. */
  add(lane: string): void {
    this.#count(lane, 1);
    this.#afterwards.elseUndo(() => this.#count(lane, -1));
  }

  /** It listens no longer. */
  remove(lane: string): void {
    this.#afterwards.add(() => this.#count(lane, -1));
  }

  #count(lane: string, by: 1 | -1): void {
    const slot = slotOf(lane);
    const count = this.#counts[slot] ?? 0;
    if (count < FULL) this.#counts[slot] = Math.max(0, count + by);
  }
}

const SLOTS = 2 ** 23;
const FULL = 255;
const PAGE = 500;

/** FNV-1a. */
function slotOf(lane: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < lane.length; index += 1) {
    hash = Math.imul(hash ^ lane.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
