/**
 * Work in short pieces, between which other work can run. A piece may end by yielding a request for data that the next
 * piece needs.
 */
export type InPieces<T, Needs = never> = Generator<Needs | undefined, T>;

/** Executes work in pieces, without pauses between them. */
export function inOnePiece<T>(work: InPieces<T, unknown>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
  }
}
