import type { Mistake } from "../problem.ts";

/** A mistake and the stretch of text that it points at. */
export interface Trap {
  readonly start: number;
  readonly end: number;
  readonly mistake: Mistake;
}
