import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { TextTemplate } from "../../expression/template.ts";

/** Returns the path of the text in a step: the step's value, or the member `key` of a map. */
export function textPath(path: Path, value: unknown, key: string): Path {
  return typeof value === "object" ? [...path, key] : path;
}

/** Compiles the text at `path`, which is for people or logs. */
export function shownText(context: StepContext, path: Path): TextTemplate | undefined {
  return context.template(path, context.document.sourceAt(path) ?? "");
}
