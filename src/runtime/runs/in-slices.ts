import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that goes on for longer lets everything else have its turn. Milliseconds. */
const SLICE_MS = 10;

/** Does work that comes in pieces, however long it takes, without holding up the process. */
export async function inSlices<T>(work: Iterator<void, T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
    if (performance.now() - since < SLICE_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}
