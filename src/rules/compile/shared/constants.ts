import { celData, type View } from "../../decide/view.ts";
import type { Expression, Evaluated } from "../expression.ts";
import type { RuleScope } from "../scope.ts";
import { visit } from "../syntax-tree.ts";
import type { TextTemplate } from "../template.ts";
import type { InputValue, InputValues } from "../../rule-file-source.ts";
import type { FileShared } from "./file-shared.ts";

const scopes = new WeakMap<FileShared, Map<RuleScope, RuleScope>>();

/** `scope` with what a file gives to its rules: `texts`, `inputs` and declared state. */
export function withShared(scope: RuleScope, shared: FileShared): RuleScope {
  const { names } = shared.texts;
  const inputs = Object.entries(shared.inputs);
  const { declared } = shared.state;
  if (names.length === 0 && inputs.length === 0 && declared.size === 0) return scope;
  let known = scopes.get(shared);
  if (!known) scopes.set(shared, (known = new Map()));
  const found = known.get(scope);
  if (found) return found;
  const environment = scope.environment
    .clone()
    .registerType("texts_fields", {
      fields: Object.fromEntries(names.map((name) => [name, "string"])),
    })
    .registerVariable("texts", "texts_fields")
    .registerType("inputs_fields", {
      fields: Object.fromEntries(inputs.map(([name, value]) => [name, typeOf(value)])),
    })
    .registerVariable("inputs", "inputs_fields");
  const given = { texts: names, inputs: inputs.map(([name]) => name) };
  const own = { ...scope, environment, given, ...(declared.size > 0 && { declared }) };
  known.set(scope, own);
  return own;
}

/** The names of texts that an expression reads. */
export function textsIn({ ast, roots }: Expression): readonly string[] {
  if (!roots.has("texts")) return [];
  const found = new Set<string>();
  visit(ast, (node) => {
    if (node.op !== "." && node.op !== "[]") return;
    const [root, member] = node.args;
    if (root.op !== "id" || root.args !== "texts") return;
    if (typeof member === "string") found.add(member);
    else if (member.op === "value" && typeof member.args === "string") found.add(member.args);
  });
  return [...found];
}

function typeOf(value: InputValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "double";
  return "list<string>";
}

/** An expression that sees texts of its file, filled in for the event, and its inputs. */
export function seeingShared(
  expression: Expression,
  inputs: InputValues,
  texts: ReadonlyMap<string, (view: View) => TextTemplate>,
): Expression {
  const { evaluate, roots } = expression;
  if (texts.size === 0 && !roots.has("inputs")) return expression;
  const constants = celData(inputs);
  return {
    ...expression,
    evaluate(view): Evaluated<unknown> {
      const filled: Record<string, unknown> = Object.create(null);
      for (const [name, choose] of texts) {
        const text = choose(view).render(view);
        if (!text.ok) return text;
        filled[name] = text.value.trim();
      }
      return evaluate(
        Object.assign(Object.create(null), view, { texts: filled, inputs: constants }),
      );
    },
  };
}
