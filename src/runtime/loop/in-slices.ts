import { setImmediate as nextTurn } from "node:timers/promises";
import type { InPieces } from "../../system/in-pieces.ts";

/** Milliseconds after which long work yields to the event loop. */
const SLICE_MS = 10;

/**
 * Runs a generator whose `yield`s divide long work into pieces, and lets the event loop run in between.
 *
 * @param load Loads the data that a piece yields as its needs, before the next piece runs.
 */
export async function inSlices<T, Needs = never>(
  work: InPieces<T, Needs>,
  load?: (needs: Needs) => Promise<void>,
): Promise<T> {
  let since = performance.now();
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
    if (piece.value !== undefined) await load?.(piece.value);
    if (performance.now() - since < SLICE_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}
