import { weightedLength } from "../../../protocol/public-text/length.ts";
import type { Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { POST_LENGTH } from "../../../protocol/limits.ts";
import type { CompileContext } from "../../compile/compile-context.ts";
import { longParts } from "../../compile/mistakes/longest-text.ts";
import type { TextTemplate } from "../../compile/template.ts";
import { compileSaid, type Said, type saidText } from "./said-text.ts";
import type * as z from "zod";

/** An expression in a text, as it is written. */
const EXPRESSION = /\$\{\{(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^}]|\}(?!\}))*\}\}/g;

/** As `compileSaid`, for a text that is published: it has to fit in a post, also with the longest names in it. */
export function compilePostText(
  context: CompileContext,
  path: Path,
  said: z.infer<typeof saidText>,
): Said | undefined {
  const compiled = compileSaid(context, path, said);
  if (!compiled) return undefined;
  for (const { template, path: at } of compiled.variants) {
    const mistake = tooLong(template);
    if (mistake) return context.report(at, mistake);
  }
  return compiled;
}

function tooLong(template: TextTemplate): Mistake | undefined {
  const { source } = template;
  const fixed = fixedLength(source);
  const code = "post-too-long";
  if (fixed > POST_LENGTH) {
    const least = source.search(EXPRESSION) >= 0 ? "at least " : "";
    const message = `the post is ${least}${fixed} weighted characters (limit ${POST_LENGTH})`;
    const help = `shorten it by ${fixed - POST_LENGTH}; a link counts 23, however long it is`;
    return { code, message, help };
  }
  const parts = longParts(template);
  const [longest] = parts;
  const most = fixed + parts.reduce((sum, one) => sum + one.most, 0);
  if (longest === undefined || most <= POST_LENGTH) return undefined;
  const message = `the post is ${most} weighted characters when ${longest.source} is ${longest.most} long (limit ${POST_LENGTH})`;
  const safe = longest.most - (most - POST_LENGTH);
  const help =
    safe > 0
      ? `longest safe form:  \${{ ${truncated(longest.source)}.truncate(${safe}) }}`
      : `shorten the text by ${most - POST_LENGTH}`;
  return { code, message, help };
}

/** The expression as something that a call can follow, without a call that cuts it already. */
function truncated(source: string): string {
  const bare = source.replace(/\.truncate\(\d+\)$/, "");
  return /^[\w.]+$/.test(bare) ? bare : `(${bare})`;
}

function fixedLength(source: string): number {
  return weightedLength(source.replaceAll(EXPRESSION, "").trim());
}
