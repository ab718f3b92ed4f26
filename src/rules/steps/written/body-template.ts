import type { Mistake } from "../../../config/problem.ts";
import type { Expression } from "../../expression/expression.ts";
import type { TextTemplate } from "../../expression/template.ts";
import { isEncoded, isOperators } from "./url-template.ts";

/**
 * Returns the warning about a value that can change other parts of a request's body: a text with `&` in a form, or with
 * `"` in JSON. Variables are not reported, because their own expressions may have encoded them.
 *
 * @param type Header `content-type` as the rule writes it.
 */
export function unescapedValue({ pieces }: TextTemplate, type: string): Mistake | undefined {
  const isForm = /\bx-www-form-urlencoded\b/i.test(type);
  if (!isForm && !/\bjson\b/i.test(type)) return undefined;
  const value = pieces.find(
    (piece) => typeof piece !== "string" && isFreeText(piece) && !(isForm && isEncoded(piece)),
  );
  if (value === undefined || typeof value === "string") return undefined;
  const { source } = value;
  return {
    code: "unescaped-value",
    severity: "warning",
    message: `a text with ${isForm ? "&" : '"'} in ${source} changes other parts of this body`,
    help: isForm
      ? `write  \${{ url(${source}) }}`
      : "write the value below the key json, without body and content-type",
  };
}

/** Whether an expression reads a text that the operator did not write. */
function isFreeText(expression: Expression): boolean {
  const { type, ast, roots } = expression;
  const isText = type === "string" || type === "dyn";
  return isText && ast.op !== "?:" && !isOperators(expression) && !roots.has("vars");
}
