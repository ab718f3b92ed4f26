import * as z from "zod";
import { durationMs } from "../../system/duration.ts";
import { containsWord } from "../../text/words.ts";
import { example } from "../example.ts";
import { duration, scalar, textOrTexts, texts } from "../schema/pieces.ts";
import { inList } from "./in-list.ts";
import { matches } from "./matches.ts";
import { defineOperator, listOf, type Operator } from "./operator.ts";
import { equalsAny } from "./scalar-test.ts";
import { type TextComparison, wordTest } from "./text-test.ts";
import { within } from "./within.ts";
import { ownMember } from "../../system/own-member.ts";

const contains: TextComparison = (text, word) => text.includes(word);

/**
 * All operators, in the order in which messages list them. To add an operator, add a row; a long one has its own file.
 */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  equals: defineOperator({
    example: conditionOf("message.text: { equals: hello }"),
    operand: scalar.describe("The value is equal. Texts are equal in any case."),
    types: ["text", "number", "boolean"],
    folds: "whole",
    asWritten: true,
    compile: (operand, use) => equalsAny([operand], use),
  }),
  in: defineOperator({
    example: conditionOf("message.text: { in: [hello, hi, hey] }"),
    operand: z.array(scalar).min(1, "this list is empty").describe("Equal to one of a list."),
    types: ["text", "number"],
    folds: "whole",
    asWritten: true,
    compile: equalsAny,
  }),
  in_list: inList,
  contains: words(contains, {
    example: conditionOf("message.text: { contains: refund }"),
    operand: textOrTexts.describe("The text or list contains this."),
    types: ["text", "list of texts"],
    folds: "part",
  }),
  contains_word: words(containsWord, {
    example: conditionOf("message.text: { contains_word: [hours, when are you open] }"),
    operand: textOrTexts.describe("The text contains one of these as whole words."),
    types: ["text"],
    folds: "whole",
  }),
  contains_any: words(contains, {
    example: conditionOf("message.hashtags: { contains_any: [sale, offer] }"),
    operand: texts.describe("The text or list contains one of these."),
    types: ["text", "list of texts"],
    folds: "part",
  }),
  contains_all: words(contains, {
    example: conditionOf("message.text: { contains_all: [order, late] }"),
    operand: texts.describe("The text or list contains all of these."),
    types: ["text", "list of texts"],
    folds: "part",
    wants: "all",
  }),
  starts_with: words((text, word) => text.startsWith(word), {
    example: conditionOf('message.text: { starts_with: ["order ", "status "] }'),
    operand: textOrTexts.describe("The text starts with one of these. A trailing space counts."),
    types: ["text"],
    folds: "start",
  }),
  ends_with: words((text, word) => text.endsWith(word), {
    example: conditionOf('message.text: { ends_with: "?" }'),
    operand: textOrTexts.describe("The text ends with one of these. A leading space counts."),
    types: ["text"],
    folds: "end",
  }),
  matches,
  gt: number("sender.followers_count: { gt: 1000 }", "More than this number.", (a, b) => a > b),
  gte: number("sender.followers_count: { gte: 1000 }", "This number or more.", (a, b) => a >= b),
  lt: number("sender.post_count: { lt: 1 }", "Less than this number.", (a, b) => a < b),
  lte: number("sender.following_count: { lte: 5 }", "This number or less.", (a, b) => a <= b),
  older_than: age(
    "sender.created_at: { older_than: 180d }",
    "The time is longer ago than this.",
    (ms, most) => ms > most,
  ),
  newer_than: age(
    "sender.created_at: { newer_than: 7d }",
    "The time is more recent than this.",
    (ms, most) => ms < most,
  ),
  within,
  exists: defineOperator({
    example: conditionOf("sender.location: { exists: true }"),
    operand: z.boolean().describe("Whether the event has the field."),
    types: ["text", "list of texts", "number", "boolean", "time"],
    compile: (wanted) => (value) => (value !== undefined) === wanted,
  }),
};

/** Returns whether an operator compares literal texts. Patterns and names of lists are not literal. */
export function comparesTexts(name: string): boolean {
  return ownMember(OPERATORS, name)?.folds !== undefined;
}

function conditionOf(condition: string): string {
  return example`
    conditions:
      - ${condition}
  `;
}

/** Creates an operator that compares a text with words. One of them must match, or all with `wants: "all"`. */
function words(
  compare: TextComparison,
  {
    wants = "one",
    ...operator
  }: Omit<Operator, "compile" | "operand"> & {
    readonly operand: z.ZodType<string | readonly string[]>;
    readonly wants?: "one" | "all";
  },
): Operator {
  return defineOperator({
    ...operator,
    compile: (operand, use) => wordTest(listOf(operand), use, compare, wants),
  });
}

function number(
  condition: string,
  description: string,
  compare: (value: number, limit: number) => boolean,
): Operator {
  return defineOperator({
    example: conditionOf(condition),
    operand: z.number().describe(description),
    types: ["number"],
    compile: (limit) => (value) => typeof value === "number" && compare(value, limit),
  });
}

/** Creates an operator that compares the age of a time with a duration, both in milliseconds. */
function age(
  condition: string,
  description: string,
  compare: (ms: number, limit: number) => boolean,
): Operator {
  return defineOperator({
    example: conditionOf(condition),
    operand: duration.describe(description),
    types: ["time"],
    compile(operand) {
      const limit = durationMs(operand);
      return (value, { now }) => typeof value === "number" && compare(now - value, limit);
    },
  });
}
