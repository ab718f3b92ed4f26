import * as z from "zod";
import { LIST_MATCHES } from "../lists/rule-list.ts";
import { NORMALIZATIONS } from "../lists/list-form.ts";
import { id, scalar, text, textOrTexts, texts as textList } from "../schema/pieces.ts";

/** Schemas of the keys beside `rules` in a rule file. They define lists, hours, texts and more, for use by name. */

const listKeys = {
  match: z
    .enum(LIST_MATCHES)
    .optional()
    .describe("How an entry and the text are compared. exact: the whole text equals the entry."),
  normalize: z
    .array(z.enum(NORMALIZATIONS))
    .default(["case", "width"])
    .describe("Differences to ignore: case, width, homoglyphs (letters that look alike)."),
};

const entries = z.array(scalar).min(1, "this list is empty");

export const listMap = z.strictObject({
  file: text
    .optional()
    .describe("A file with one entry per line; the path is relative to the rule file."),
  entries: entries.optional().describe("The entries themselves."),
  ...listKeys,
});

/** List as written: its entries, or a map. */
export const list = z.union([entries, listMap]);

export const lists = z
  .record(z.string(), list)
  .optional()
  .describe("Lists for conditions with in_list.");

export const hoursMap = z.strictObject({
  zone: text.describe("Time zone by its IANA name: Europe/Berlin."),
  open: textList.describe('Days and times: "mon-fri 09:00-12:00, 13:00-17:30".'),
  closed: z
    .array(text)
    .default([])
    .describe("Dates on which nothing opens: 2026-12-24, or 2026-12-24..2027-01-01."),
});

export const hours = z
  .record(z.string(), hoursMap)
  .optional()
  .describe("Opening hours for conditions: now: {within: NAME}.");

/** Text in one language, or texts by language. A list contains alternatives, one of which is drawn at random. */
export const sharedText = z.union([textOrTexts, z.record(z.string(), textOrTexts)]);

export const texts = z
  .record(z.string(), sharedText)
  .optional()
  .describe("Texts for steps: reply: {say: NAME}. In several languages, or in one.");

/** Default of state: any value that state can store. */
export const stateValue = z.union([scalar, z.array(scalar)]);

export const stateDefaults = z
  .record(z.string(), stateValue)
  .optional()
  .describe(
    "Default values of state: sender.score: 0. With a default, expressions need no orValue.",
  );

export const inputMap = z
  .strictObject({
    type: z.enum(["string", "number", "boolean", "regex", "duration", "list"]),
    required: z.boolean().optional().describe("Files that use this file must set it."),
    default: z.union([scalar, textList]).optional(),
    description: text.optional().describe("A name for people to read."),
  })
  .refine(({ required, default: value }) => required !== true || value === undefined, {
    message: "what is required needs no default",
    params: { code: "input-without-value", help: "remove  required  or  default" },
  });

export const inputs = z
  .record(z.string(), inputMap)
  .optional()
  .describe("Constants of the file: inputs.NAME. Files that use this file can set them.");

export const useMap = z.strictObject({
  file: text.describe("A rule file; the path is relative to this file."),
  as: id.describe("Prefix of the ids of its rules: spring.code."),
  with: z
    .record(z.string(), z.union([scalar, textList]))
    .default({})
    .describe("Its inputs."),
});

export const use = z
  .array(useMap)
  .optional()
  .describe("Rule files whose rules this file includes, with their inputs.");
