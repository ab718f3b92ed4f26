import type { Environment } from "@marcbachmann/cel-js";

/** A function of expressions that CEL does not bring. */
export interface ExpressionFunction {
  readonly signature: string;
  readonly description: string;
  /** A rule that calls it: what `explain` and the reference show. */
  readonly example: string;
}

/** Function of expressions, with its implementation. */
export interface CallableFunction extends ExpressionFunction {
  readonly call: Parameters<Environment["registerFunction"]>[0]["handler"];
}
