import { type OpeningHours, opensAt } from "../../../hours/opening-hours.ts";
import { celData, isoTime, type View } from "../../expression/view.ts";
import type { Expression, Evaluated } from "../../expression/expression.ts";
import type { RuleScope } from "../../expression/scope.ts";
import { visit } from "../../expression/syntax-tree.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { InputValue, InputValues } from "../../rule-file-source.ts";
import type { FileShared } from "./file-shared.ts";

const scopes = new WeakMap<FileShared, Map<RuleScope, RuleScope>>();

/** Adds the shared definitions of a file to a scope: `texts`, `inputs`, `hours` and declared state. */
export function withShared(scope: RuleScope, shared: FileShared): RuleScope {
  const { names } = shared.texts;
  const inputs = Object.entries(shared.inputs);
  const hours = shared.hours.names;
  const { declared } = shared.state;
  const isEmpty = [names, inputs, hours].every((one) => one.length === 0) && declared.size === 0;
  if (isEmpty) return scope;
  let extendedScopes = scopes.get(shared);
  if (!extendedScopes) scopes.set(shared, (extendedScopes = new Map()));
  const cachedScope = extendedScopes.get(scope);
  if (cachedScope) return cachedScope;
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
  if (hours.length > 0) {
    environment
      .registerType("opening_fields", { fields: { next_open: "string" } })
      .registerType("hours_fields", {
        fields: Object.fromEntries(hours.map((name) => [name, "opening_fields"])),
      })
      .registerVariable("hours", "hours_fields");
  }
  const openings = hours.map((name) => [`hours.${name}`, ["next_open"]] as const);
  const definedNames = {
    texts: names,
    inputs: inputs.map(([name]) => name),
    ...(hours.length > 0 && { hours }),
    ...Object.fromEntries(openings),
  };
  const own = {
    ...scope,
    environment,
    namesByRoot: definedNames,
    ...(declared.size > 0 && { declared }),
  };
  extendedScopes.set(scope, own);
  return own;
}

/** Returns the names that an expression reads under `texts` or `hours`: `hello` for `texts.hello`. */
export function namesUnder(root: "texts" | "hours", { ast, roots }: Expression): readonly string[] {
  if (!roots.has(root)) return [];
  const namesRead = new Set<string>();
  visit(ast, (node) => {
    if (node.op !== "." && node.op !== "[]") return;
    const [of, member] = node.args;
    if (of.op !== "id" || of.args !== root) return;
    if (typeof member === "string") namesRead.add(member);
    else if (member.op === "value" && typeof member.args === "string") namesRead.add(member.args);
  });
  return [...namesRead];
}

function typeOf(value: InputValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "double";
  return "list<string>";
}

/** Shared definitions that one expression reads, with their values. */
interface SeenShared {
  readonly inputs: InputValues;
  readonly texts: ReadonlyMap<string, (view: View) => TextTemplate>;
  readonly hours: ReadonlyMap<string, OpeningHours>;
}

/** Lets an expression read the file's inputs, hours and texts; texts are rendered for the event. */
export function seeingShared(
  expression: Expression,
  { inputs, texts, hours }: SeenShared,
): Expression {
  const { evaluate, roots } = expression;
  if (texts.size === 0 && hours.size === 0 && !roots.has("inputs")) return expression;
  const constants = celData(inputs);
  return {
    ...expression,
    evaluate(view): Evaluated<unknown> {
      const filled = new Map<string, string>();
      for (const [name, choose] of texts) {
        const text = choose(view).render(view);
        if (!text.ok) return text;
        filled.set(name, text.value.trim());
      }
      const openings = openingsAt(hours, Date.parse(String(view["now"])));
      if (!openings.ok) return openings;
      const own = { texts: filled, inputs: constants, hours: openings.value };
      return evaluate(Object.assign(Object.create(null), view, own));
    },
  };
}

function openingsAt(
  hours: ReadonlyMap<string, OpeningHours>,
  now: number,
): Evaluated<ReadonlyMap<string, unknown>> {
  const value = new Map<string, unknown>();
  for (const [name, one] of hours) {
    const at = opensAt(one, now);
    if (at === undefined)
      return { ok: false, error: `hours.${name} has no next_open: they never open` };
    value.set(name, celData({ next_open: isoTime(at) }));
  }
  return { ok: true, value };
}
