import type { Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { Evaluated } from "../../expression/expression.ts";
import type { Json } from "../../../protocol/json.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { View } from "../../expression/view.ts";

/** Evaluates compiled data of a step, such as the argument of a call. */
export type Argument = (view: View) => Evaluated<Json>;

/** Compiles a text that may contain expressions. */
type CompileText = (
  context: StepContext,
  path: Path,
  text: string,
) => Pick<TextTemplate, "value"> | undefined;

const anyText: CompileText = (context, path, text) => context.value(path, text);

/** Matches ids and telephone numbers that are other texts as numbers. Shorter ones with a plus sign are sums. */
const CHANGED = /^(?:0\d+|\+\d{5,})$/;

/** Returns the warning about a value that is probably a text, and that YAML reads as a number, such as `01234`. */
export function changedNumber(value: unknown, source = ""): Mistake | undefined {
  if (typeof value !== "number" || !CHANGED.test(source.trim())) return undefined;
  const message = `YAML reads this as the number ${value}`;
  const help = `quote it: "${source.trim()}"`;
  return { code: "id-loses-digits", severity: "warning", message, help };
}

/**
 * Compiles data whose texts may contain expressions, at any depth.
 *
 * @param compileText Compiles each text. By default, a text that is a single expression keeps the type of its value.
 */
export function compileArgument(
  context: StepContext,
  path: Path,
  value: unknown,
  compileText = anyText,
): Argument | undefined {
  if (typeof value === "string") {
    const template = compileText(context, path, value);
    return template && ((view) => template.value(view));
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) =>
      compileArgument(context, [...path, index], item, compileText),
    );
    return items.every((item) => item !== undefined) ? (view) => allOf(items, view) : undefined;
  }
  if (typeof value === "object" && value !== null) {
    return compileMap(context, path, value, compileText);
  }
  const changed = changedNumber(value, context.document.sourceAt(path));
  if (changed !== undefined) context.report(path, changed);
  const constant = typeof value === "number" || typeof value === "boolean" ? value : null;
  return () => ({ ok: true, value: constant });
}

function compileMap(
  context: StepContext,
  path: Path,
  value: object,
  compileText: CompileText,
): Argument | undefined {
  const keys = Object.keys(value);
  const members = Object.entries(value).map(([key, inner]: [string, unknown]) =>
    compileArgument(context, [...path, key], inner, compileText),
  );
  if (!members.every((member) => member !== undefined)) return undefined;
  return (view) => {
    const values = allOf(members, view);
    if (!values.ok) return values;
    return {
      ok: true,
      value: Object.fromEntries(keys.map((key, index) => [key, values.value[index] ?? null])),
    };
  };
}

function allOf(items: readonly Argument[], view: View): Evaluated<readonly Json[]> {
  const values: Json[] = [];
  for (const item of items) {
    const outcome = item(view);
    if (!outcome.ok) return outcome;
    values.push(outcome.value);
  }
  return { ok: true, value: values };
}
