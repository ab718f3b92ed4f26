import type { ASTNode } from "@marcbachmann/cel-js";
import type { Mistake } from "../../../config/problem.ts";
import type { ExpressionFault } from "../../expression/expression-fault.ts";
import { fieldPath, visit } from "../../expression/syntax-tree.ts";
import type { RuleField } from "../../schema/fields.ts";

type Fields = ReadonlyMap<string, RuleField>;

/**
 * Returns a warning for each beginning of a field by `substring(0, 20)`, and for each item such as `hashtags[0]`: with a
 * shorter text or list, the expression fails. An expression that tests a size, or the beginning of a text, is not reported.
 *
 * @param isTestedList Returns whether the rule also reads a list otherwise, probably to test it.
 */
export function shorterTexts(
  ast: ASTNode,
  fields: Fields,
  isTestedList: (field: string) => boolean,
): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  let isTested = false;
  visit(ast, (node) => {
    if (node.op === "call" || node.op === "rcall") {
      isTested ||= node.args[0] === "size" || node.args[0] === "startsWith";
    }
    const mistake = beginningMistake(node, fields) ?? itemMistake(node, fields, isTestedList);
    if (mistake === undefined) return;
    faults.push({ mistake, offset: node.start, length: Math.max(1, node.end - node.start) });
  });
  return isTested ? [] : faults;
}

function beginningMistake(node: ASTNode, fields: Fields): Mistake | undefined {
  if (node.op !== "rcall" || node.args[0] !== "substring") return undefined;
  const [, of, [from, to]] = node.args;
  const field = fieldPath(of);
  const length = to?.op === "value" ? Number(to.args) : 0;
  const isBeginning = from?.op === "value" && Number(from.args) === 0 && length > 1;
  if (!isBeginning || fields.get(field)?.type !== "text" || field.endsWith("id")) return undefined;
  return {
    code: "may-be-absent",
    severity: "warning",
    message: `${field} may have fewer than ${length} characters, and then this expression would fail`,
    help: `write ${field}.truncate(${length}), or test ${field}.size() first`,
  };
}

/** Functions whose result has as many items as their list. */
const SORTING: ReadonlySet<string> = new Set(["sort", "sort_desc"]);

function itemMistake(
  node: ASTNode,
  fields: Fields,
  isTestedList: (field: string) => boolean,
): Mistake | undefined {
  if (node.op !== "[]") return undefined;
  const [list, index] = node.args;
  let of = list;
  while (of.op === "rcall" && SORTING.has(of.args[0])) of = of.args[1];
  const field = fieldPath(of);
  if (index.op !== "value" || fields.get(field)?.type !== "list of texts") return undefined;
  if (isTestedList(field)) return undefined;
  return {
    code: "may-be-absent",
    severity: "warning",
    message: `${field} may have no item ${Number(index.args)}, and then this expression would fail`,
    help: `test its size first:  ${field}.size() > ${Number(index.args)}`,
  };
}
