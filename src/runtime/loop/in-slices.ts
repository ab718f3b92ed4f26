import { setImmediate as nextTurn } from "node:timers/promises";
import type { InPieces } from "../../system/in-pieces.ts";

/** Work that goes on for longer lets everything else have its turn. Milliseconds. */
const SLICE_MS = 10;

/**
 * Does work that comes in pieces, however long it takes, without holding up the process.
 *
 * @param load Reads what a piece says is to be read before the next.
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
