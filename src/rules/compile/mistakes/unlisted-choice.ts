import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionFault } from "../../expression/expression-fault.ts";
import { fieldPath, visit } from "../../expression/syntax-tree.ts";
import { isSame } from "../../steps/written/answer-choices.ts";
import type { KnownTypes } from "../../expression/value-types/known-types.ts";

/** Returns a fault for each comparison of a question's choice with a text that the question does not list. */
export function unlistedChoices(
  ast: ASTNode,
  answers: KnownTypes["answers"],
): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(ast, (node) => {
    const compared = comparedIn(node, answers);
    const unlisted = compared?.texts.find((text) => !compared.choices.includes(text));
    if (compared === undefined || unlisted === undefined) return;
    const { field, choices } = compared;
    const meant = choices.find((one) => isSame(one, unlisted));
    const all = choices.map((one) => JSON.stringify(one)).join(", ");
    faults.push({
      mistake: {
        code: "never-holds",
        severity: "warning",
        message: `${field} is never ${JSON.stringify(unlisted)}: it is one of the texts that the question lists`,
        help: meant === undefined ? `it is one of: ${all}` : `write ${JSON.stringify(meant)}`,
      },
      offset: node.start,
      length: Math.max(1, node.end - node.start),
    });
  });
  return faults;
}

interface ComparedChoice {
  readonly field: string;
  readonly choices: readonly string[];
  readonly texts: readonly string[];
}

function comparedIn(node: ASTNode, answers: KnownTypes["answers"]): ComparedChoice | undefined {
  if (node.op !== "==" && node.op !== "!=" && node.op !== "in") return undefined;
  const [left, right] = node.args;
  const [field, other] = fieldPath(left) === "" ? [right, left] : [left, right];
  const path = fieldPath(field);
  const choices = answers.get(/^steps\.(\w+)\.choice$/.exec(path)?.[1] ?? "") ?? [];
  const texts = other.op === "list" ? other.args.flatMap(textIn) : textIn(other);
  return choices.length === 0 ? undefined : { field: path, choices, texts };
}

function textIn(node: ASTNode): readonly string[] {
  return node.op === "value" && typeof node.args === "string" ? [node.args] : [];
}
