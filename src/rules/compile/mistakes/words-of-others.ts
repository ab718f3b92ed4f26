import { valueAt } from "../../../config/check-value.ts";
import type { Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { eventKind } from "../../../events/kinds/kinds.ts";
import { TRIGGER_FACTS, type Trigger } from "../../../events/triggers.ts";
import type { CompileContext } from "../compile-context.ts";
import { namesIn, namesOfGiven, publishedTexts, takenIn } from "./published-texts.ts";

/** Verbs that publish a text: `ask` only with `in: public`, `reply` (`ANSWER`) only in answer to a post. */
const PUBLIC = ["create_post", "reply_post", "quote", "ask"];
const ANSWER = ["reply"];
const ABOUT = "(?:name|description|location|url)";
const OF_PERSON = `(?:sender|target)\\.${ABOUT}`;
const OF_POST = `(?:text|full_text|raw_text|former_text|author\\.${ABOUT})`;
/** Matches fields with a person's description of themselves, such as `sender.name` and `target.location`. */
const PERSON = new RegExp(String.raw`(?<![\w."'])${OF_PERSON}(?!\w)`, "g");
/** Matches the fields of {@link PERSON} and fields with a person's published text, such as `post.text`. */
const WORDS = new RegExp(
  String.raw`(?<![\w."'])(?:${OF_PERSON}|post\.(?:(?:quoted|reposted)\.)?${OF_POST}|event\.text|captures\.\w+|text|` +
    String.raw`vars\.(?<variable>\w+)|steps\.(?<step>\w+)\.(?:text|captures))(?![\w(])`,
  "g",
);

/**
 * Warns if a step of the rule publishes another person's text without stating what happens to mentions and links in it.
 * `private-to-public.ts` checks private texts.
 */
export function reportWordsOfOthers(context: CompileContext, rulePath: Path): void {
  const { triggers } = context.scope;
  const isAnswerPublic = triggers.some((one) => answeredBy(one) === "post");
  const hearsMessages = triggers.some((one) => one.startsWith("dm."));
  reportIn(context, rulePath, PUBLIC, hearsMessages ? PERSON : WORDS);
  if (isAnswerPublic) reportIn(context, rulePath, ANSWER, WORDS);
}

/** Returns the names of values with a person's text that a step passes to another rule. */
export function wordsGiven(
  context: CompileContext,
  passedValues: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { document, base, calls } = context;
  const wordSources = takenIn(valueAt(document.value, base), WORDS, calls.words);
  return namesOfGiven(passedValues, WORDS, wordSources);
}

function reportIn(
  context: CompileContext,
  rulePath: Path,
  verbs: readonly string[],
  name: RegExp,
): void {
  const wordSources = takenIn(valueAt(context.document.value, rulePath), name, context.calls.words);
  for (const { path, text, said } of publishedTexts(context, rulePath, verbs)) {
    // the platform creates no mentions and links from the labels of a poll
    const isLabel = path.at(-3) === "poll" && path.at(-2) === "options";
    if (isLabel || valueAt(said, ["third_parties"]) !== undefined) continue;
    const [first] = namesIn(text, name, wordSources);
    if (first) context.report(path, wordsOfOthers(first.name), { text, ...first });
    else reportStoredMention(context, rulePath, path, text);
  }
}

/** Matches a handle that a text reads from stored state or from a variable: `@${{ state.account.winner }}`. */
const STORED_MENTION =
  /@\$\{\{[^}]*?(?<name>\bstate\.(?:sender|conversation|account)\.\w+|\bvars\.(?<variable>\w+))/d;

/** Warns about a mention of a person whose name is stored: it has no effect, so a winner is not notified. */
function reportStoredMention(
  context: CompileContext,
  rulePath: Path,
  path: Path,
  text: string,
): void {
  const match = STORED_MENTION.exec(text);
  const [offset, end] = match?.indices?.groups?.["name"] ?? [];
  if (match === null || offset === undefined || end === undefined) return;
  const { name = "", variable } = match.groups ?? {};
  const value = valueAt(context.document.value, [...rulePath, "variables", variable ?? ""]);
  if (variable !== undefined && !(typeof value === "string" && value.includes("state."))) return;
  const mistake: Mistake = {
    code: "words-of-others",
    severity: "warning",
    message: `${name} is stored text: a mention in it has no effect`,
    help: "to mention the person, write  {text: …, third_parties: allow}",
  };
  context.report(path, mistake, { text, offset, length: end - offset });
}

function answeredBy(trigger: Trigger): "post" | "message" | undefined {
  return eventKind(TRIGGER_FACTS[trigger].kind).answeredBy;
}

function wordsOfOthers(name: string): Mistake {
  const isName = name.endsWith(".name");
  const other = isName ? `write  @\${{ ${name.replace(/name$/, "username")} }}, or ` : "";
  return {
    code: "words-of-others",
    severity: "warning",
    message: `${name} is another person's text and would be published: a mention or link in it has no effect`,
    help: `${other}choose how mentions and links are treated:  {text: …, third_parties: inert}`,
  };
}
