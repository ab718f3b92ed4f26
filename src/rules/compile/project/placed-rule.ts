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

/** Operators whose operand names something of the rule's file: another file has another thing by that name. */
const NAMING = new Set(["in_list", "within"]);
const OWN = /(?<![\w.])(?:inputs|texts)\./;

/** What is written in a file, each name of it told from the same name of another file, or of another use of it. */
export function withOwnNames(written: unknown, file: string): unknown {
  if (typeof written === "string") return OWN.test(written) ? `${file}: ${written}` : written;
  if (Array.isArray(written)) return written.map((one) => withOwnNames(one, file));
  if (typeof written !== "object" || written === null) return written;
  return Object.fromEntries(
    Object.entries(written).map(([key, value]: [string, unknown]) => [
      key,
      NAMING.has(key) ? { file, named: value } : withOwnNames(value, file),
    ]),
  );
}
