import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault } from "../expressions/expression-fault.ts";
import { fieldPath, visit } from "../syntax-tree.ts";

/** Fields that hold what a person wrote. */
const WRITTEN =
  /^(?:text|(?:message|event)\.text|post\.(?:text|full_text|former_text)|steps\.\w+\.text|(?:steps\.\w+\.)?captures\.\w+)$/;

/** Places where an expression compares what a person wrote with a fixed text, exactly. */
export function exactComparisons(ast: ASTNode): readonly ExpressionFault[] {
  const found: ExpressionFault[] = [];
  visit(ast, (node) => {
    const exact = exactIn(node);
    if (exact === undefined) return;
    const { field, texts, instead } = exact;
    if (!texts.some((text) => /\p{L}/u.test(text))) return;
    // an exclamation mark at the beginning of a value is a tag to YAML
    const not = node.op === "!=" ? " == false" : "";
    const calls = texts.map((text) => `${field}.${instead}(${JSON.stringify(text)})${not}`);
    const written = texts.map((text) => JSON.stringify(text)).join(" or ");
    found.push({
      mistake: {
        code: "exact-comparison",
        severity: "warning",
        message: `${field} is what a person wrote: this is true only for exactly ${written}, case and all`,
        help: `write ${calls.length > 1 ? `(${calls.join(" || ")})` : calls.join("")}`,
      },
      offset: node.start,
      length: Math.max(1, node.end - node.start),
    });
  });
  return found;
}

/** The expression, each of these places as its help has it. */
export function asPeopleCompare(source: string, faults: readonly ExpressionFault[]): string {
  let form = source;
  for (const { mistake, offset, length } of faults.toReversed()) {
    const instead = mistake.help?.replace(/^write /, "") ?? form.slice(offset, offset + length);
    form = form.slice(0, offset) + instead + form.slice(offset + length);
  }
  return form;
}

interface Exact {
  readonly field: string;
  readonly texts: readonly string[];
  /** The function that compares as people read. */
  readonly instead: string;
}

function exactIn(node: ASTNode): Exact | undefined {
  if (node.op === "==" || node.op === "!=") return compared(node.args);
  return node.op === "in" ? memberOf(node.args) : called(node);
}

/** `message.text in ["hi", "hello"]` */
function memberOf([field, list]: readonly [ASTNode, ASTNode]): Exact | undefined {
  if (list.op !== "list") return undefined;
  const each = list.args.map((text) => exactly(field, text, "same"));
  const texts = each.flatMap((one) => one?.texts ?? []);
  const [first] = each;
  return first && texts.length === each.length ? { ...first, texts } : undefined;
}

function compared([left, right]: readonly [ASTNode, ASTNode]): Exact | undefined {
  return exactly(left, right, "same") ?? exactly(right, left, "same");
}

function called(node: ASTNode): Exact | undefined {
  if (node.op !== "rcall") return undefined;
  const [name, of, [text]] = node.args;
  if (name === "contains") return text && exactly(of, text, "has_word");
  if (name !== "startsWith" && name !== "endsWith") return undefined;
  // a handle in front is told by what it means
  if (text?.op === "value" && /^[@\uff20]/.test(String(text.args))) return undefined;
  const exact = text && exactly(of, text, `lower().${name}`);
  return exact && { ...exact, texts: exact.texts.map((one) => one.toLowerCase()) };
}

function exactly(field: ASTNode, text: ASTNode, instead: string): Exact | undefined {
  const path = fieldPath(field);
  if (!WRITTEN.test(path) || text.op !== "value" || typeof text.args !== "string") return undefined;
  return { field: path, texts: [text.args], instead };
}
