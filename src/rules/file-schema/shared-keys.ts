import * as z from "zod";
import { LIST_MATCHES } from "../lists/rule-list.ts";
import { NORMALIZATIONS } from "../lists/list-form.ts";
import { id, scalar, text, textOrTexts, texts as textList } from "../schema/pieces.ts";

/** Schemas of the keys beside `rules` in a rule file, which define names for its rules. */

const listKeys = {
  match: z
    .enum(LIST_MATCHES)
    .optional()
    .describe("How an entry and the text are compared. exact: the whole text is the entry."),
  normalize: z
    .array(z.enum(NORMALIZATIONS))
    .default(["case", "width"])
    .describe("What doesn't count: case, width, homoglyphs (letters that look alike)."),
};

const entries = z.array(scalar).min(1, "this list is empty");

export const listMap = z.strictObject({
  file: text.optional().describe("A file with one entry a line, from the rule file on."),
  entries: entries.optional().describe("The entries themselves."),
  ...listKeys,
});

/** List as written: its entries, or a map. */
export const list = z.union([entries, listMap]);

export const lists = z
  .record(id, list)
  .optional()
  .describe("Lists that conditions ask about by in_list.");

export const hoursMap = z.strictObject({
  zone: text.describe("Time zone by its IANA name: Europe/Berlin."),
  open: textList.describe('Days and times: "mon-fri 09:00-12:00, 13:00-17:30".'),
  closed: z
    .array(text)
    .default([])
    .describe("Dates on which nothing opens: 2026-12-24, or 2026-12-24..2027-01-01."),
});

export const hours = z
  .record(id, hoursMap)
  .optional()
  .describe("Opening hours that conditions ask about: now: {within: NAME}.");

/** Text in one language, or texts by language. A list contains alternatives, one of which is drawn at random. */
export const sharedText = z.union([textOrTexts, z.record(z.string(), textOrTexts)]);

export const texts = z
  .record(id, sharedText)
  .optional()
  .describe("Texts that rules say: reply: {say: NAME}. By language, or in one only.");

/** Default of state: any value that state can store. */
export const stateValue = z.union([scalar, z.array(scalar)]);

export const stateDefaults = z
  .record(z.string(), stateValue)
  .optional()
  .describe(
    "What state is as long as nothing is kept: sender.score: 0. Expressions need no orValue then.",
  );

export const inputMap = z
  .strictObject({
    type: z.enum(["string", "number", "boolean", "regex", "duration", "list"]),
    required: z.boolean().optional().describe("Who uses the file has to give it."),
    default: z.union([scalar, textList]).optional(),
    description: text.optional().describe("For people."),
  })
  .refine(({ required, default: value }) => required !== true || value === undefined, {
    message: "what is required needs no default",
    params: { code: "input-without-value", help: "remove  required  or  default" },
  });

export const inputs = z
  .record(z.string(), inputMap)
  .optional()
  .describe("Constants of the file: inputs.NAME. Who uses the file may give them.");

export const useMap = z.strictObject({
  file: text.describe("A rule file, from this one on."),
  as: id.describe("Goes before the ids of its rules: spring.code."),
  with: z
    .record(z.string(), z.union([scalar, textList]))
    .default({})
    .describe("Its inputs."),
});

export const use = z
  .array(useMap)
  .optional()
  .describe("Rule files whose rules are taken, with inputs given.");
