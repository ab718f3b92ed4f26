import type { Environment } from "@marcbachmann/cel-js";

/** Function of expressions in addition to CEL's own. */
export interface ExpressionFunction {
  readonly signature: string;
  readonly description: string;
  /** Example for `explain` and the reference: keys of a rule that calls the function. */
  readonly example: string;
}

/** Function of expressions, with its implementation. */
export interface CallableFunction extends ExpressionFunction {
  readonly call: Parameters<Environment["registerFunction"]>[0]["handler"];
}
