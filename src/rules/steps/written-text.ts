import type { Path } from "../../config/yaml-document.ts";
import type { CompileContext } from "../compile/compile-context.ts";
import type { TextTemplate } from "../compile/template.ts";

/** The path of the text in a step that is text, or a map with the text under `key`. */
export function textPath(path: Path, value: unknown, key: string): Path {
  return typeof value === "object" ? [...path, key] : path;
}

/** Compiles a text that people or logs will see: no secret may stand in it. */
export function shownText(context: CompileContext, path: Path): TextTemplate | undefined {
  const template = context.template(path, context.document.sourceAt(path) ?? "");
  const secret = template?.expressions.find(({ roots }) => roots.has("secrets"));
  if (secret) {
    const message = "a secret would be shown: secrets may stand in the argument of call only";
    const help = "take it out of the text";
    return context.report(path, { code: "secret-in-text", message, help }, { text: secret.source });
  }
  return template;
}
