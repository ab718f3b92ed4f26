import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault } from "../../expression/expression-fault.ts";
import { fieldPath, visit } from "../../expression/syntax-tree.ts";
import { isSame } from "../../steps/written/answer-choices.ts";
import type { KnownTypes } from "../../expression/value-types/known-types.ts";

/** Fields with text that a person wrote. */
const WRITTEN =
  /^(?:text|(?:message|event)\.text|post\.(?:text|full_text|former_text)|steps\.\w+\.text|(?:steps\.\w+\.)?captures\.\w+)$/;

/** Matches the result of a step; for a step that waits for a person, `result` and `text` are the answer's text. */
const RESULT = /^steps\.(?<id>\w+)\.(?:result|text)$/;

/**
 * Returns a fault for each exact comparison of a person's text with a fixed text.
 *
 * @param answers Steps that wait for a person, by id, with the answers that they list.
 */
export function exactComparisons(
  ast: ASTNode,
  answers: KnownTypes["answers"],
): readonly ExpressionFault[] {
  const comparisonFaults: ExpressionFault[] = [];
  visit(ast, (node) => {
    const exact = exactIn(node, answers);
    if (exact === undefined) return;
    const { field, texts } = exact;
    if (!texts.some((text) => /\p{L}/u.test(text))) return;
    const calls = texts.map((text) => instead(exact, text, node.op === "!=", answers));
    const written = texts.map((text) => JSON.stringify(text)).join(" or ");
    comparisonFaults.push({
      mistake: {
        code: "exact-comparison",
        severity: "warning",
        message: `${field} is a person's text: this is true only for exactly ${written}, including its case`,
        help: `write ${calls.length > 1 ? `(${calls.join(" || ")})` : calls.join("")}`,
      },
      offset: node.start,
      length: Math.max(1, node.end - node.start),
    });
  });
  return comparisonFaults;
}

/** Replaces each faulty comparison of an expression by the form that the help of its fault proposes. */
export function asPeopleCompare(source: string, faults: readonly ExpressionFault[]): string {
  let form = source;
  for (const { mistake, offset, length } of faults.toReversed()) {
    const instead = mistake.help?.replace(/^write /, "") ?? form.slice(offset, offset + length);
    form = form.slice(0, offset) + instead + form.slice(offset + length);
  }
  return form;
}

type Answers = KnownTypes["answers"];

interface Exact {
  readonly field: string;
  readonly texts: readonly string[];
  /** Way in which the texts are compared: as wholes, or by a function of CEL. */
  readonly by: "==" | "contains" | "startsWith" | "endsWith";
}

/** Returns the comparison to propose: by `choice`, `same` or `contains_any`, or in lower case. */
function instead(
  { field, by }: Exact,
  wanted: string,
  isNegated: boolean,
  answers: Answers,
): string {
  const written = JSON.stringify(wanted);
  // `result` has no text functions, so the form reads `text`
  const text = field.replace(RESULT, "steps.$<id>.text");
  if (by === "contains") return `${text}.contains_any([${written}])`;
  if (by !== "==") return `${text}.lower().${by}(${JSON.stringify(wanted.toLowerCase())})`;
  const id = RESULT.exec(field)?.groups?.["id"] ?? "";
  const choice = answers.get(id)?.find((one) => isSame(one, wanted));
  if (choice !== undefined) {
    return `steps.${id}.choice ${isNegated ? "!=" : "=="} ${JSON.stringify(choice)}`;
  }
  // a leading exclamation mark would be a tag in YAML
  return `${text}.same(${written})${isNegated ? " == false" : ""}`;
}

function exactIn(node: ASTNode, answers: Answers): Exact | undefined {
  if (node.op === "==" || node.op === "!=") return compared(node.args, answers);
  return node.op === "in" ? memberOf(node.args, answers) : called(node, answers);
}

/** Returns field and texts of a comparison such as `message.text in ["hi", "hello"]`. */
function memberOf([field, list]: readonly [ASTNode, ASTNode], answers: Answers): Exact | undefined {
  if (list.op !== "list") return undefined;
  const each = list.args.map((text) => exactly(field, text, "==", answers));
  const texts = each.flatMap((one) => one?.texts ?? []);
  const [first] = each;
  return first && texts.length === each.length ? { ...first, texts } : undefined;
}

function compared([left, right]: readonly [ASTNode, ASTNode], answers: Answers): Exact | undefined {
  return exactly(left, right, "==", answers) ?? exactly(right, left, "==", answers);
}

const EXACT_FUNCTIONS = ["contains", "startsWith", "endsWith"] as const;

function called(node: ASTNode, answers: Answers): Exact | undefined {
  if (node.op !== "rcall") return undefined;
  const [name, of, [text]] = node.args;
  const by = EXACT_FUNCTIONS.find((one) => one === name);
  // a text that begins with a handle is reported by a more specific check
  const isHandle = text?.op === "value" && /^[@\uff20]/.test(String(text.args));
  if (by === undefined || text === undefined || (by !== "contains" && isHandle)) return undefined;
  return exactly(of, text, by, answers);
}

function exactly(
  field: ASTNode,
  text: ASTNode,
  by: Exact["by"],
  answers: Answers,
): Exact | undefined {
  const path = fieldPath(field);
  if (text.op !== "value" || typeof text.args !== "string") return undefined;
  const isWritten = WRITTEN.test(path) || answers.has(RESULT.exec(path)?.groups?.["id"] ?? "");
  return isWritten ? { field: path, texts: [text.args], by } : undefined;
}
