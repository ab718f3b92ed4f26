import * as z from "zod";

/** Farther from the epoch, in milliseconds, no date can be written. */
const LAST_TIME = 8.64e15;

/** A time in milliseconds since the Unix epoch. */
export const instant = z.number().min(-LAST_TIME).max(LAST_TIME);

/** Text that keeps a rule of the interface, so that a world that was brought along keeps it too. */
export function ruled(faultOf: (text: string) => string | undefined) {
  return z.string().check((context) => {
    const fault = faultOf(context.value);
    if (fault === undefined) return;
    context.issues.push({ code: "custom", message: fault, input: context.value });
  });
}
