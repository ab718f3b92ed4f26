import * as z from "zod";
import { DURATION, durationMs } from "../../system/duration.ts";

/** Small schemas that several parts of the language share. */

export const text = z.string().min(1, "this is empty");

export const id = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    "an id has letters from a to z, digits, - and _, and starts with a letter",
  );

/** Id of a rule. Rules of a file that is included under the name `spring` have ids such as `spring.code`. */
export const ruleId = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]*$/, "the id of a rule, with the name of its use: spring.code");

/** Account of the bot: its handle or its numeric id. */
export const account = z
  .string()
  .regex(/^[@\uff20]?[A-Za-z0-9_]{1,20}$/, "the handle of an account, or its id: hello_bot");

/** Longest duration: a hundred years. The end of a longer duration may be beyond the last valid date. */
export const MAX_DURATION_MS = 36_500 * 86_400_000;

export const duration = z
  .string()
  .regex(DURATION, 'not a duration: write a number and a unit, as "10m", "24h" or "180d"')
  .refine(
    (text) => !DURATION.test(text) || durationMs(text) <= MAX_DURATION_MS,
    "too long: at most 36500d",
  );

/** Duration greater than zero, such as a time limit or the window of a count: `0s` would have no effect. */
export const positiveDuration = duration.refine(
  (text) => !DURATION.test(text) || durationMs(text) > 0,
  'no time at all: write a time as "10m" or "24h"',
);

/** Matches the beginning of an expression in a text. */
export const WITH_EXPRESSION = /\$\{\{/;

/** Text with an expression. Its value is checked at run time. */
export const withExpression = z.string().regex(WITH_EXPRESSION, "there is no expression in it");

/** Time with its zone, so that it is the same wherever the bot runs. */
export const moment = z.iso.datetime({
  offset: true,
  error: "not a time: write date, time and zone, as 2026-03-01T00:00:00+01:00",
});

export const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** Argument of a function, or values for the variables of a called rule. */
export const argument = z
  .record(z.string(), z.unknown())
  .optional()
  .describe("The argument of call; of run: values of the rule's variables.");

export const texts = z.array(text).min(1, "this list is empty");

/** Text, or a list of alternative texts. */
export const textOrTexts = z.union([text, texts]);

/**
 * List of steps. The compiler checks the steps later, since steps can contain steps. The editor schema replaces `holds`
 * by the schema of a step.
 */
export const stepList = z
  .array(z.unknown())
  .min(1, "there is no step here")
  .meta({ holds: "steps" });

/** List of conditions, checked later. The editor schema replaces `holds` by the schema of a condition. */
export const conditionList = z.array(z.unknown()).meta({ holds: "conditions" });
