import { weightedLength } from "../../../protocol/public-text/length.ts";
import type { LongPosts } from "../../../protocol/public-text/posting.ts";
import { split } from "../../../protocol/public-text/split.ts";
import type { Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { POST_LENGTH } from "../../../protocol/limits.ts";
import type { StepContext } from "../step-context.ts";
import { longParts } from "./longest-text.ts";
import { sendable } from "../../expression/seen-text.ts";
import type { TextTemplate } from "../../expression/template.ts";
import { compileSaid, mapOf, type Said, type SaidText } from "./said-text.ts";

/**
 * Compiles a text that is published. Warns if it is too long for one post. With `long: fail`, this is an error, and it
 * is also an error if the text becomes too long with the longest possible values of its expressions.
 */
export function compilePostText(
  context: StepContext,
  path: Path,
  said: SaidText,
): Said | undefined {
  const compiled = compileSaid(context, path, said);
  if (!compiled) return undefined;
  const long = mapOf(said)?.long;
  for (const { template, path: at } of compiled.variants) {
    const mistake = tooLong(template, long);
    if (mistake === undefined) continue;
    context.report(at, mistake);
    if (mistake.severity !== "warning") return undefined;
  }
  return compiled;
}

const CODE = "post-too-long";

function tooLong(template: TextTemplate, long: LongPosts | undefined): Mistake | undefined {
  const literal = literalOf(template);
  const fixed = weightedLength(literal);
  if (fixed <= POST_LENGTH) return long === "fail" ? mayBeTooLong(template, fixed) : undefined;
  const least = template.expressions.length > 0 ? "at least " : "";
  const length = `the post is ${least}${fixed} weighted characters (limit ${POST_LENGTH})`;
  const shorter = `shorten it by ${fixed - POST_LENGTH}; a link counts 23, however long it is`;
  if (long === "fail") return { code: CODE, message: length, help: shorter };
  if (long === "thread") return undefined;
  const message =
    long === "cut"
      ? `${length}: its end is cut off`
      : `${length}: it goes out as a thread of ${least}${split(literal).length} posts`;
  const help = `for one whole post, ${shorter}; if it is to be a thread, state that:  {text: …, long: thread}`;
  return { code: CODE, severity: "warning", message, help };
}

function mayBeTooLong(template: TextTemplate, fixed: number): Mistake | undefined {
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
  return { code: CODE, message, help };
}

/** Prepares an expression for a new `.truncate(N)`: drops an old one, and adds parentheses if necessary. */
function truncated(source: string): string {
  const bare = source.replace(/\.truncate\(\d+\)$/, "");
  return /^[\w.]+$/.test(bare) ? bare : `(${bare})`;
}

/** Returns the text of a post without its expressions and without characters that are removed before sending. */
function literalOf({ pieces }: TextTemplate): string {
  return sendable(pieces.filter((piece) => typeof piece === "string").join("")).trim();
}
