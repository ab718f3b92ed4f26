/** Work that comes in short pieces; one may end with what it needs before the next. */
export type InPieces<T, Needs = never> = Generator<Needs | undefined, T>;

/** Does work that comes in pieces, with nothing in between. */
export function inOnePiece<T>(work: InPieces<T, unknown>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
  }
}
