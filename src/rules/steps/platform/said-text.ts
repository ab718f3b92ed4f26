import * as z from "zod";
import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { Evaluated } from "../../expression/expression.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepRun } from "../../run/step.ts";
import { LONG_POSTS, THIRD_PARTIES } from "../../../protocol/public-text/posting.ts";
import { POLL_LIMITS, REPLY_SETTINGS } from "../../../protocol/post-options.ts";
import { duration, text } from "../../schema/pieces.ts";
import { missing, textToSend } from "./action-step.ts";
import { drawn } from "../../expression/fingerprint.ts";
import { sendable } from "../../expression/seen-text.ts";
import { shownText } from "../written/written-text.ts";

/** Maximum weight. The sum of much greater ones would be infinite, and only the last option would be drawn. */
const MAX_WEIGHT = 1_000_000;

const weighted = z.strictObject({
  weight: z
    .number()
    .positive("a weight is greater than 0")
    .max(MAX_WEIGHT, `a weight is at most ${MAX_WEIGHT}`)
    .default(1),
  text,
});

/** Alternative text of a step: a text, or a map with a text and its weight. */
const option = z.union([text, weighted]);
const optionList = z.array(option).min(1, "this list is empty");

/** Keys of a step that set its text: directly, as a random choice, or by the name of a shared text. */
export const saidKeys = {
  text: text.optional(),
  options: optionList
    .optional()
    .describe("One of these texts is drawn at random; weight 2 is twice as likely as 1."),
  say: text.optional().describe("Name of a text under texts."),
  lang: text
    .optional()
    .describe("With say: the language. By default, the language of the person's text."),
};

const textMap = z.strictObject({
  ...saidKeys,
  media: text.optional().describe("Path of a picture or video, relative to this file."),
});

/** Text of a step: a text, a list from which one text is drawn at random, or a map. */
export const saidText = z.union([text, optionList, textMap]);

/** Keys of a step that control how its text is published. */
export const publishedKeys = {
  long: z
    .enum(LONG_POSTS)
    .optional()
    .describe("A text over 280 weighted characters goes out as a thread, is cut, or fails."),
  third_parties: z
    .enum(THIRD_PARTIES)
    .optional()
    .describe(
      "Mentions and links in other people's words: without effect, held for the operator, or allowed.",
    ),
  reply_settings: z
    .enum(["everyone", ...REPLY_SETTINGS])
    .optional()
    .describe(
      "Who may reply: accounts that the account follows, those that the post mentions, subscribers, or verified accounts; the mentioned ones always.",
    ),
};
const { options: optionLimits } = POLL_LIMITS;
const postMap = textMap.extend({
  ...publishedKeys,
  poll: z
    .strictObject({
      options: z
        .array(text)
        .min(optionLimits.min, "a poll has two to four options")
        .max(optionLimits.max, "a poll has two to four options")
        .describe("Two to four labels of up to 25 characters."),
      duration: duration.describe("From 5m to 7d, in whole minutes."),
    })
    .optional()
    .describe("A poll below the text, instead of a picture or video."),
});

/** Keys of a post that other texts may lack, such as `poll` and `media`. */
export const PUBLIC_KEYS: readonly string[] = Object.keys(postMap.shape).filter(
  (key) => !(key in saidKeys),
);

/** Schema for the text of a step that publishes a quote. The platform accepts no poll, picture or video in a quote. */
export const quotingText = z.union([
  text,
  optionList,
  z.strictObject({ ...saidKeys, ...publishedKeys }),
]);

/** Text of a step that publishes a post, maybe with a poll. */
export const postedText = z.union([text, optionList, postMap]);
type SaidOption = z.infer<typeof option>;
type SaidMap = z.infer<typeof postMap>;
/** Poll as written in a rule file. */
export type WrittenPoll = NonNullable<SaidMap["poll"]>;
/** Text of a step, after the validation of the rule file. */
export type SaidText = string | readonly SaidOption[] | SaidMap;

/** Returns the map of a text that is written as a map, otherwise `undefined`. */
export function mapOf(said: SaidText): SaidMap | undefined {
  return typeof said === "string" || isList(said) ? undefined : said;
}

function isList(said: Exclude<SaidText, string>): said is readonly SaidOption[] {
  return Array.isArray(said);
}

/** Rendered text of a step for one run, with the template that it was rendered from. */
export interface SaidTextNow {
  readonly text: string;
  readonly template: TextTemplate;
}

/** Compiled text of a step. */
export interface Said {
  /** All texts that may be chosen, each with its path. */
  readonly variants: readonly { readonly template: TextTemplate; readonly path: Path }[];
  /** Renders the text to send, without the line break that a YAML block has at its end. */
  readonly render: (run: StepRun) => Evaluated<SaidTextNow>;
}

/** Compiles the value at `path`, which fits {@link saidText}. */
export function compileSaid(context: StepContext, path: Path, said: SaidText): Said | undefined {
  if (typeof said === "string") return oneText(context, path);
  if (isList(said)) return drawnText(context, path, said);
  const { options } = said;
  const [first, second] = SAYING.filter((key) => said[key] !== undefined);
  if (first !== undefined && second !== undefined) {
    const message = `"${first}" and "${second}" both set what is sent`;
    const help =
      second === "options"
        ? "write the text as one of the options"
        : `remove one of them; ${second} alone is enough`;
    return context.report([...path, first], { code: "two-texts", message, help }, "key");
  }
  if (said.lang !== undefined && said.say === undefined) {
    const message = '"lang" chooses a language of a text under  texts:, and none is used here';
    const help = "write  say: NAME  beside it, or remove it";
    return context.report([...path, "lang"], { code: "lang-without-say", message, help }, "key");
  }
  if (said.say !== undefined) return sharedText(context, path, said.say, said.lang);
  if (options !== undefined) return drawnText(context, [...path, "options"], options);
  if (said.text !== undefined) return oneText(context, [...path, "text"]);
  const message = `"text" is missing in ${context.label(path)}`;
  return context.report(path, { code: "missing-key", message, help: "add  text:" });
}

/** Compiles the text at `path`. Reports a text that is blank once characters are removed that can't be sent. */
function sentText(context: StepContext, path: Path): TextTemplate | undefined {
  const template = shownText(context, path);
  if (!template || template.expressions.length > 0) return template;
  if (sendable(template.source).trim() !== "") return template;
  const message = "this text is blank, so it can't be sent";
  return context.report(path, { code: "invalid-value", message, help: "write a text" });
}

function oneText(context: StepContext, path: Path): Said | undefined {
  const template = sentText(context, path);
  if (!template) return undefined;
  return {
    variants: [{ template, path }],
    render(run) {
      return textToSend(template, run);
    },
  };
}

/** Keys that exclude each other. Error messages name them in this order. */
const SAYING = ["text", "options", "say"] as const;

function sharedText(
  context: StepContext,
  path: Path,
  name: string,
  lang: string | undefined,
): Said | undefined {
  const text = context.sharedText([...path, "say"], name);
  const language = lang === undefined ? undefined : shownText(context, [...path, "lang"]);
  if (!text || (lang !== undefined && !language)) return undefined;
  return {
    variants: text.variants,
    render(run) {
      const wanted = language?.render(run.view);
      if (wanted?.ok === false) return wanted;
      return textToSend(text.choose(run.view, wanted?.value), run);
    },
  };
}

function drawnText(
  context: StepContext,
  path: Path,
  options: readonly SaidOption[],
): Said | undefined {
  const variants = options.flatMap((option, index) => {
    const at = typeof option === "string" ? [...path, index] : [...path, index, "text"];
    const template = sentText(context, at);
    return template ? [{ template, path: at }] : [];
  });
  if (variants.length < options.length) return undefined;
  const weights = options.map((option) => (typeof option === "string" ? 1 : option.weight));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    variants,
    render(run) {
      let remainingWeight = drawn(`${run.seed}/option`) * total;
      const chosen = weights.findIndex((weight) => (remainingWeight -= weight) < 0);
      const option = variants.at(chosen);
      return option ? textToSend(option.template, run) : missing("there is no text to draw from");
    },
  };
}
