import { valueAt } from "../../../config/check-value.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { CompileContext } from "../compile-context.ts";
import { namesIn, namesOfGiven, publishedTexts, type TakenIn, takenIn } from "./published-texts.ts";

/** Steps that publish their text even if a private message has started the rule. */
const PUBLIC = ["create_post", "reply_post", "quote"];
const NAME =
  /(?<![\w."'])(?:message\.\w+|event\.text|captures\.\w+|text(?![\w(])|vars\.(?<variable>\w+)|steps\.(?<step>\w+)\.(?:text|captures))/g;

/** Reports text that a person wrote in private where a step of the rule would publish it. */
export function reportPrivateTexts(
  context: CompileContext,
  rulePath: Path,
  allow: readonly string[],
): void {
  const { triggers } = context.scope;
  if (allow.includes("private-to-public") || !triggers.some(isPrivate)) return;
  const rule = valueAt(context.document.value, rulePath);
  const secret = privateNames(rule, context.calls.private);
  for (const { path, text } of publishedTexts(context, rulePath, PUBLIC)) {
    const [first] = namesIn(text, NAME, secret);
    if (first) context.report(path, PUBLISHED, { text, ...first });
  }
}

function isPrivate(trigger: string): boolean {
  return trigger.startsWith("dm.");
}

/** Returns the names of values with private text that a step passes to a called rule. */
export function privateGiven(
  context: CompileContext,
  passedValues: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { triggers } = context.scope;
  if (!triggers.some(isPrivate)) return [];
  const privateSources = privateNames(
    valueAt(context.document.value, context.base),
    context.calls.private,
  );
  return namesOfGiven(passedValues, NAME, privateSources);
}

function privateNames(rule: unknown, privateVariables: readonly string[]): TakenIn {
  return takenIn(rule, NAME, privateVariables);
}

const PUBLISHED = {
  code: "private-to-public",
  message: "text from a private message would be published in a post",
  help: "remove it, or state the intent in the rule:  allow: [private-to-public]",
} as const;
