import type { ASTNode } from "@marcbachmann/cel-js";
import type { ResultFields, ResultFieldType } from "../../../actions/action-result.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import type { ExpressionFault } from "../expression-fault.ts";
import { visit } from "../syntax-tree.ts";
import type { KnownTypes } from "./known-types.ts";
import { pathOf } from "./typed-form.ts";

type Results = KnownTypes["results"];

/** Returns a fault for each name after `steps.ID.result` that the step's action does not return. */
export function unknownResultFields(ast: ASTNode, results: Results): readonly ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(ast, (node) => {
    if (node.op !== "." && node.op !== ".?") return;
    const [of, name] = node.args;
    if (typeof name !== "string") return;
    const parent = pathOf(of);
    const fields = resultAt(parent, results);
    if (fields === undefined || fields === "any") return;
    if (typeof fields === "object" && Object.hasOwn(fields, name)) return;
    const mistake = noSuchResult(parent, name, fields);
    faults.push({ mistake, offset: node.end - name.length, length: name.length });
  });
  return faults;
}

/** Returns the CEL type of an expression that is a result of an action, or one of its fields. */
export function resultType(ast: ASTNode, results: Results): string | undefined {
  const member = resultAt(pathOf(ast), results);
  if (typeof member === "object") return "result_fields";
  return member && CEL_TYPES[member];
}

const CEL_TYPES: Readonly<Record<ResultFieldType, string>> = {
  text: "string",
  number: "dyn",
  boolean: "bool",
  any: "dyn",
};

/** Returns the fields or the type at a path such as `steps.conv.result.platform_attribution`. */
function resultAt(path: string, results: Results): ResultFields | ResultFieldType | undefined {
  const [root, id = "", result, ...names] = path.split(".");
  if (root !== "steps" || result !== "result") return undefined;
  let member: ResultFields | ResultFieldType | undefined = results.get(id);
  for (const name of names) {
    if (typeof member !== "object") return undefined;
    member = Object.hasOwn(member, name) ? member[name] : undefined;
  }
  return member;
}

function noSuchResult(parent: string, name: string, fields: ResultFields | ResultFieldType) {
  const message = `${parent} has no field "${name}"`;
  if (typeof fields === "string") {
    return { code: "unknown-field", message, help: `${parent} is a ${fields}` };
  }
  const names = Object.keys(fields);
  const guess = didYouMean(name, names);
  const type = guess === undefined ? undefined : fields[guess];
  const kind = typeof type === "string" && type !== "any" ? ` (${type})` : "";
  const help =
    guess === undefined ? `${parent} has: ${names.join(", ")}` : `did you mean "${guess}"${kind}?`;
  return { code: "unknown-field", message, help };
}
