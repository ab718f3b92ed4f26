import type { Mistake } from "../../config/problem.ts";

/** Mistake at a place within an expression's source. */
export interface ExpressionFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}
