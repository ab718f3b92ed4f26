import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { TextTemplate } from "../../expression/template.ts";
import { WITH_EXPRESSION } from "../../schema/pieces.ts";

/** Returns the path of the text in a step: the step's value, or the member `key` of a map. */
export function textPath(path: Path, value: unknown, key: string): Path {
  return typeof value === "object" ? [...path, key] : path;
}

/**
 * Reports a constant with more than `max` characters, since the step would fail in each run. A value with an expression
 * is measured at run time.
 *
 * @param written A text as written, or a value as JSON.
 */
export function isTooLong(
  context: Pick<StepContext, "report">,
  path: Path,
  written: string,
  { what, max }: { readonly what: string; readonly max: number },
): boolean {
  if (WITH_EXPRESSION.test(written) || written.length <= max) return false;
  const message = `${what} has at most ${max} characters, and this one has ${written.length}`;
  context.report(path, { code: "invalid-value", message, help: "shorten it" });
  return true;
}

/** Compiles the text at `path`, which is for people or logs. */
export function shownText(context: StepContext, path: Path): TextTemplate | undefined {
  return context.template(path, context.document.sourceAt(path) ?? "");
}

/** Compiles the value at `path`, which is stored as user state. An integer beyond 2^53 fails the step. */
export function stateValue(
  context: StepContext,
  path: Path,
): Pick<TextTemplate, "type" | "value"> | undefined {
  const template = shownText(context, path);
  return template && { type: template.type, value: (view) => template.stored(view) };
}
