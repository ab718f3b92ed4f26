import type { Mistake } from "../problem.ts";

/** A mistake, with the start and end offset of the text that it concerns. */
export interface Trap {
  readonly start: number;
  readonly end: number;
  readonly mistake: Mistake;
}
