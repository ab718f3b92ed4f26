import type { Mistake } from "../../config/problem.ts";

/** A fault within an expression's source. */
export interface ExpressionFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}
