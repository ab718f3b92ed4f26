import { postLength } from "../../../actions/post-length.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { POST_LENGTH } from "../../../protocol/limits.ts";
import type { CompileContext } from "../../compile/compile-context.ts";
import { compileSaid, pathOfSaid, type Said, type saidText } from "./said-text.ts";
import type * as z from "zod";

/** An expression in a text, as it is written. */
const EXPRESSION = /\$\{\{(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^}]|\}(?!\}))*\}\}/g;

/** As `compileSaid`, for a text that is published: what stands in it for certain has to fit in a post. */
export function compilePostText(
  context: CompileContext,
  path: Path,
  said: z.infer<typeof saidText>,
): Said | undefined {
  const compiled = compileSaid(context, path, said);
  const tooLong = compiled?.templates.findIndex(({ source }) => fixedLength(source) > POST_LENGTH);
  if (!compiled || tooLong === undefined || tooLong < 0) return compiled;
  const source = compiled.templates[tooLong]?.source ?? "";
  const hasMore = source.search(EXPRESSION) >= 0;
  const length = fixedLength(source);
  const message = `the post is ${hasMore ? "at least " : ""}${length} weighted characters (limit ${POST_LENGTH})`;
  const help = `shorten it by ${length - POST_LENGTH}; a link counts 23, however long it is`;
  return context.report(pathOfSaid(context, path, tooLong), {
    code: "post-too-long",
    message,
    help,
  });
}

function fixedLength(source: string): number {
  return postLength(source.replaceAll(EXPRESSION, "").trim());
}
