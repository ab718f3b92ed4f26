import * as z from "zod";

/** Latest time that a `Date` can represent, in milliseconds since the Unix epoch. */
const LAST_TIME = 8.64e15;

/** A time in milliseconds since the Unix epoch. */
export const instant = z.number().min(-LAST_TIME).max(LAST_TIME);

/**
 * Creates the schema of a string with a rule, such as a URL. A restore of a saved world checks the rule, too.
 *
 * @param faultOf Returns the fault of a string that breaks the rule.
 */
export function ruled(faultOf: (text: string) => string | undefined) {
  return z.string().check((context) => {
    const fault = faultOf(context.value);
    if (fault === undefined) return;
    context.issues.push({ code: "custom", message: fault, input: context.value });
  });
}
