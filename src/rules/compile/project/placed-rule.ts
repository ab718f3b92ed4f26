import type { Mistake, Problem } from "../../../config/problem.ts";
import type { CompiledRule } from "../../ruleset.ts";

/** A compiled rule, and what of its text is compared with other rules. */
export interface PlacedRule {
  readonly rule: CompiledRule;
  /** Its conditions as they are written. */
  readonly conditions: readonly unknown[];
  /** Its triggers as they are written. */
  readonly triggers: readonly unknown[];
  /** Its variables as they are written. */
  readonly variables: unknown;
  /** The problem `mistake` at a place of the rule. */
  readonly problemAt: (path: readonly (string | number)[], mistake: Mistake) => Problem;
}
