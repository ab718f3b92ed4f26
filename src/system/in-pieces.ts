/** Work in short pieces. A piece may end by yielding what it needs before the next one. */
export type InPieces<T, Needs = never> = Generator<Needs | undefined, T>;

/** Does work that comes in pieces, without pauses between them. */
export function inOnePiece<T>(work: InPieces<T, unknown>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
  }
}
