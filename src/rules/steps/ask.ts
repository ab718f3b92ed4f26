import * as z from "zod";
import { fold } from "../../text/fold.ts";
import { compilePattern, type Pattern } from "../expression/patterns/pattern.ts";
import { capturedText } from "../expression/patterns/captured-text.ts";
import { choiceOf, choicesAt } from "./written/answer-choices.ts";
import { valueAt } from "../../config/check-value.ts";
import { ON_INVALID, ON_TIMEOUT } from "../run/step.ts";
import { positiveDuration, stepList, text } from "../schema/pieces.ts";
import { reportUnheardAnswer } from "./written/unheard-answer.ts";
import { hasField } from "./written/needed-field.ts";
import { A_PERSON, A_POST, actionStep } from "./platform/action-step.ts";
import { compilePostText } from "./platform/post-text.ts";
import { messageTo } from "./platform/reply-dm.ts";
import { replyTo } from "./platform/reply-post.ts";
import { compileSaid, publishedKeys, saidKeys } from "./platform/said-text.ts";
import { withinMs } from "./written/waiting-time.ts";
import type { Path } from "../../config/yaml-document.ts";
import type { StepContext } from "./step-context.ts";
import { defineStep } from "./step-kind.ts";
import { example } from "../example.ts";

const MAX_RETRIES = 10;

const question = z.strictObject({
  ...saidKeys,
  text: text.optional().describe("The question."),
  in: z
    .enum(["message", "public"])
    .default("message")
    .describe(
      "Ask in a message, or in a public reply to the post; the answer is a message, or a reply.",
    ),
  ...publishedKeys,
  expect: z
    .unknown()
    .optional()
    .describe(
      "Operators that the answer's text must match, as under message.text. By default, any answer matches. " +
        "With `in: [yes, no]` steps.<id>.choice is the listed text that it was.",
    )
    .meta({ holds: "a text's matcher" }),
  retries: z
    .int()
    .min(0)
    .max(MAX_RETRIES)
    .default(0)
    .describe("Number of times to ask again after an answer that does not match."),
  cancel_on: z
    .array(text)
    .default(["cancel", "stop"])
    .describe("Texts with which the person ends the run, unless expect accepts them."),
  reprompt: z
    .union([text, z.strictObject(saidKeys)])
    .optional()
    .describe("The text to send then. By default, the question again."),
  within: positiveDuration.optional().describe("Maximum waiting time for each answer."),
  [ON_TIMEOUT]: stepList.optional().describe("Steps that run if no answer arrives in time."),
  [ON_INVALID]: stepList.optional().describe("Steps that run if no answer matched."),
});

/**
 * `ask: {text, expect, within}` asks the person in a message and waits for the answer. With `in: public`, it asks in a
 * reply to the post that the event is about, and waits for the person's reply to one of the account's posts.
 */
export const ask = defineStep({
  example: example`
    actions:
      - id: order
        ask:
          text: What's your order number?
          expect: { matches: '\b(?P<no>[A-Z]\d{5})\b' }
          retries: 1
          within: 15m
          on_timeout: [{ stop: no answer }]
          on_invalid: [{ escalate: { queue: support } }, stop]
      - reply_dm: I will look up \${{ steps.order.captures.no.upper() }}.
  `,
  shape: { ask: question.describe("Ask the person, and wait for the answer.") },
  needs: A_PERSON,
  blocks: [
    ["ask", ON_TIMEOUT],
    ["ask", ON_INVALID],
  ],
  gives: ["text", "captures"],
  compile({ context, path, keys, block, onEvent }) {
    const at = [...path, "ask"];
    const { reprompt } = keys.ask;
    const isPublic = keys.ask.in === "public";
    if (!isPublic) reportKeyOfPosts(context, at, keys.ask);
    const compile = isPublic ? compilePostText : compileSaid;
    const first = compile(context, at, keys.ask);
    const again = reprompt === undefined ? first : compile(context, [...at, "reprompt"], reprompt);
    const blocks = {
      [ON_TIMEOUT]: block("ask", ON_TIMEOUT),
      [ON_INVALID]: block("ask", ON_INVALID),
    };
    const limit = withinMs(context, at, keys.ask.within);
    const trigger = isPublic ? "post.replied" : "dm.received";
    const expect =
      keys.ask.expect === undefined
        ? undefined
        : onEvent(trigger).field(isPublic ? "post.text" : "message.text", [...at, "expect"]);
    if (!first || !again || limit === undefined) return undefined;
    if (isPublic && !hasField(context, [...at, "in"], '"in: public"', A_POST)) return undefined;
    reportUnheardAnswer(context, path);
    const cancelOn = new Set(keys.ask.cancel_on.map((one) => fold(one).trim()));
    const patterns = patternsOf(keys.ask.expect);
    const cased = isCased(keys.ask.expect);
    const choices = choicesAt(context.document, path);
    return {
      ...actionStep(isPublic ? "reply_post" : "reply_dm", (run) => {
        const said = (run.questionNumber > 1 ? again : first).render(run);
        if (!said.ok) return said;
        return isPublic ? replyTo(run, said.value, keys.ask) : messageTo(run.event, said.value);
      }),
      blocks,
      listens: {
        trigger,
        withinMs: limit,
        conditions: [],
        ...(expect && { expect }),
        ...(cancelOn.size > 0 && { cancelOn }),
        captures: (said) => capturedText(patterns, said, cased) ?? {},
        choice: (said) => choiceOf(choices, said, cased),
        retries: keys.ask.retries,
      },
    };
  },
});

/** Warns about a key of posts, such as `reply_settings`, in a question that is a private message. */
function reportKeyOfPosts(
  context: StepContext,
  path: Path,
  written: Readonly<Record<string, unknown>>,
): void {
  const key = Object.keys(publishedKeys).find((one) => written[one] !== undefined);
  if (key === undefined) return;
  const message = `"${key}" has no effect in a private message`;
  const help = "remove it, or ask in public:  in: public";
  const mistake = { code: "unknown-key", severity: "warning", message, help } as const;
  context.report([...path, key], mistake, "key");
}

/** Returns the patterns of `expect`, whose named groups later steps can read from the answer. */
function patternsOf(expect: unknown): Pattern[] {
  const written = valueAt(expect, ["matches"]);
  const sources: readonly unknown[] = Array.isArray(written) ? written : [written];
  return sources.flatMap((source) => {
    const compiled =
      typeof source === "string" ? compilePattern(source, isCased(expect)) : undefined;
    return compiled === undefined || "mistake" in compiled ? [] : [compiled];
  });
}

function isCased(expect: unknown): boolean {
  return valueAt(expect, ["cased"]) === true;
}
