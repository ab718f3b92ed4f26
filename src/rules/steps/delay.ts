import * as z from "zod";
import { durationMs } from "../../system/duration.ts";
import { duration } from "../schema/pieces.ts";
import { drawn } from "./drawn.ts";
import { defineStep } from "./step-kind.ts";
import { example } from "../explained/explanation.ts";

const between = z.strictObject({ min: duration, max: duration });

/** `delay: 30s` waits before the next step, `delay: {min: 30s, max: 4m}` for a time drawn between the two. */
export const delay = defineStep({
  example: example`
    actions:
      - delay: { min: 30s, max: 4m }
      - reply_dm: Sorry for the wait!
  `,
  shape: {
    delay: z.union([duration, between]).describe("Wait so long, or for a time between two."),
  },
  compile({ context, path, keys }) {
    const { min, max } =
      typeof keys.delay === "string" ? { min: keys.delay, max: keys.delay } : keys.delay;
    const [shortest, longest] = [durationMs(min), durationMs(max)];
    if (longest < shortest) {
      const message = `min is ${min}, which is longer than max, ${max}`;
      const help = `write  delay: {min: ${max}, max: ${min}}`;
      return context.report([...path, "delay"], { code: "delay-range", message, help });
    }
    const spread = longest - shortest + 1;
    return {
      perform: ({ seed }) => ({
        kind: "timer",
        delayMs: shortest + Math.floor(drawn(seed) * spread),
      }),
    };
  },
});
