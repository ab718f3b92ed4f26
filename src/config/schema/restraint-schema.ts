import * as z from "zod";
import { zoneFormat } from "../../hours/local-time.ts";
import { readOpen } from "../../hours/read-hours.ts";
import { ANSWER_LIMIT } from "../answer-limit.ts";
import { noZone, notOpen } from "../hours/hours-mistakes.ts";
import { byHandle, reporting, text, type ValueMistake } from "./shared-schemas.ts";

const limit = z
  .string()
  .regex(ANSWER_LIMIT, 'not a limit: write how many in which time, as "30 in 10m", or none');

/** Limits of one account that differ from the general limits. */
export const limitsOfAccount = z.strictObject({
  replies: limit.optional().describe("Answers to one person."),
  loop: limit.optional().describe("Answers to another account of this bot."),
  equal_replies: limit.optional().describe("Equal answers to one person."),
  equal_posts: limit.optional().describe("Equal posts, to any person."),
});

/** Limits that hold back answers to stop runaway loops. */
export const limits = z.strictObject({
  replies: limit
    .default("30 in 10m")
    .describe("Answers to one person. Further answers are held until the operator releases them.")
    .meta({ examples: ["60 in 10m"] }),
  loop: limit
    .default("10 in 10m")
    .describe("Answers to another account of this bot, so that two bots don't talk endlessly.")
    .meta({ examples: ["none"] }),
  equal_replies: limit
    .default("3 in 1m")
    .describe("Answers with the same text to one person who repeats their text, too.")
    .meta({ examples: ["3 in 5m"] }),
  equal_posts: limit
    .default("2 in 1h")
    .describe("Posts of an account with the same text, to any person.")
    .meta({ examples: ["1 in 24h"] }),
  accounts: byHandle(limitsOfAccount)
    .default({})
    .describe("Limits of single accounts, by handle.")
    .meta({ examples: [{ shop_bot: { replies: "300 in 10m" } }] }),
});

/** The platform's limit for a message, in characters. */
const LONGEST_MESSAGE = 10_000;

/** A text without expressions, sent unchanged. */
const sentText = text.superRefine(reporting(expressionInText)).superRefine(reporting(tooLong));

function expressionInText(value: string): ValueMistake | undefined {
  const expression = /\$?\{\{|\$\{/.exec(value)?.[0];
  return expression === undefined
    ? undefined
    : {
        code: "expression-as-text",
        message: `"${expression}" would be sent unchanged: expressions are not supported here`,
        help: "write what people are to read; only ${{ env.NAME }} is replaced in settings",
      };
}

function tooLong(value: string): ValueMistake | undefined {
  const { length } = Array.from(value);
  return length <= LONGEST_MESSAGE
    ? undefined
    : {
        message: `the platform accepts messages of at most ${LONGEST_MESSAGE} characters; this one has ${length}`,
        help: "shorten it",
      };
}

const words = z.array(text).min(1, 'write one word at least: ["stop"]');

/** Words with which people opt out of the bot's answers. */
export const optOut = z.strictObject({
  words: words
    .describe(
      "Words that opt a person out if a message has no other text: no rule or bot runs for that person, and nothing is sent.",
    )
    .meta({ examples: [["stop", "unsubscribe"]] }),
  text: sentText
    .optional()
    .describe("Confirmation that is sent once, after the person opted out. None unless set.")
    .meta({ examples: ["You won't hear from us again. Write START to come back."] }),
  back: words
    .default(["start"])
    .describe("Words with which a person opts in again.")
    .meta({ examples: [["start"]] }),
  back_text: sentText
    .optional()
    .describe("Confirmation that is sent after the person opted in again. None unless set.")
    .meta({ examples: ["Welcome back."] }),
});

const zone = text.superRefine(
  reporting((value) => (zoneFormat(value) === undefined ? noZone(value) : undefined)),
);
const stretch = text.superRefine(
  reporting((value) => (readOpen(value) === undefined ? notOpen(value) : undefined)),
);
const times = z
  .array(stretch)
  .min(1, 'write a time at least: ["22:00-07:00"]')
  .describe('Days and times: "22:00-07:00", "sat,sun 00:00-24:00".');

/** Hours in which the bot of one account starts no conversation. */
export const quietHoursOfAccount = z.strictObject({
  zone: zone
    .describe("Time zone by its IANA name: Europe/Berlin.")
    .meta({ examples: ["Europe/Berlin"] }),
  times,
});
/** Hours in which the bot starts no conversation. */
export const quietHours = z.strictObject({
  zone: quietHoursOfAccount.shape.zone,
  times: times.optional().meta({ examples: [["22:00-07:00", "sun 00:00-24:00"]] }),
  accounts: byHandle(z.strictObject({ zone: zone.optional(), times }))
    .default({})
    .describe("Quiet hours of single accounts, by handle.")
    .meta({ examples: [{ shop_bot: { zone: "America/New_York", times: ["23:00-08:00"] } }] }),
});
