import * as z from "zod";

/** Latest time that a date can represent, in milliseconds since the epoch. */
const LAST_TIME = 8.64e15;

/** A time in milliseconds since the Unix epoch. */
export const instant = z.number().min(-LAST_TIME).max(LAST_TIME);

/** Creates the schema of a text with a rule, such as a URL. The rule is checked also when a saved world is restored. */
export function ruled(faultOf: (text: string) => string | undefined) {
  return z.string().check((context) => {
    const fault = faultOf(context.value);
    if (fault === undefined) return;
    context.issues.push({ code: "custom", message: fault, input: context.value });
  });
}
