import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { TextTemplate } from "../../expression/template.ts";

/** The path of the text in a step that is text, or a map with the text under `key`. */
export function textPath(path: Path, value: unknown, key: string): Path {
  return typeof value === "object" ? [...path, key] : path;
}

/** Compiles a text that people or logs will see. */
export function shownText(context: StepContext, path: Path): TextTemplate | undefined {
  return context.template(path, context.document.sourceAt(path) ?? "");
}
