import * as z from "zod";
import type { Evaluated } from "../expression/expression.ts";
import { duration, withExpression, WITH_EXPRESSION } from "../schema/pieces.ts";
import { drawn } from "../expression/fingerprint.ts";
import { defineStep } from "./step-kind.ts";
import { compileDuration } from "./written/waiting-time.ts";
import { example } from "../example.ts";

const time = z.union([duration, withExpression]);
const between = z.strictObject({ min: time, max: time });

/** `delay: 30s` waits before the next step, `delay: {min: 30s, max: 4m}` for a random time between `min` and `max`. */
export const delay = defineStep({
  example: example`
    conditions:
      - message.text: { matches: '^remind me in (?P<time>.+?) to (?P<what>.+)' }
    actions:
      - delay: \${{ captures.time }}
      - reply_dm: "Remember: \${{ captures.what }}"
  `,
  shape: {
    delay: z
      .union([duration, withExpression, between])
      .describe(
        "Wait for a duration, or for a random one between min and max. An expression may return words such as 2 hours.",
      ),
  },
  compile({ context, path, keys }) {
    const at = [...path, "delay"];
    if (typeof keys.delay === "string") {
      const time = compileDuration(context, at, keys.delay);
      if (time === undefined) return undefined;
      return {
        perform({ view }) {
          const ms = time(view);
          return ms.ok
            ? { kind: "timer", delayMs: ms.value }
            : { kind: "not-ready", message: ms.error };
        },
      };
    }
    const { min, max } = keys.delay;
    const shortest = compileDuration(context, [...at, "min"], min);
    const longest = compileDuration(context, [...at, "max"], max);
    if (shortest === undefined || longest === undefined) return undefined;
    const isWritten = ![min, max].some((text) => WITH_EXPRESSION.test(text));
    if (isWritten && isReversed(shortest({}), longest({}))) {
      const message = `min is ${min}, which is longer than max, ${max}`;
      const help = `write  delay: {min: ${max}, max: ${min}}`;
      return context.report(at, { code: "delay-range", message, help });
    }
    return {
      perform({ seed, view }) {
        const [least, most] = [shortest(view), longest(view)];
        if (!least.ok) return { kind: "not-ready", message: least.error };
        if (!most.ok) return { kind: "not-ready", message: most.error };
        if (isReversed(least, most)) {
          const message = `min comes to ${least.value} ms, which is longer than max, ${most.value} ms`;
          return { kind: "not-ready", message };
        }
        const spread = most.value - least.value + 1;
        return { kind: "timer", delayMs: least.value + Math.floor(drawn(seed) * spread) };
      },
    };
  },
});

function isReversed(least: Evaluated<number>, most: Evaluated<number>): boolean {
  return least.ok && most.ok && most.value < least.value;
}
