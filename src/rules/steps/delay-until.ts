import * as z from "zod";
import { MAX_DURATION_MS, moment, withExpression } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { compileMoment } from "./written/waiting-time.ts";
import { example } from "../example.ts";

/** `delay_until: 2026-12-24T18:00:00+01:00` waits until a time before the next step. A past time does not delay. */
export const delayUntil = defineStep({
  example: example`
    actions:
      - delay_until: \${{ timestamp(now) + duration("36h") }}
      - reply_dm: Did it work?
  `,
  shape: {
    delay_until: z
      .union([moment, withExpression])
      .describe(
        "Wait until this time, with date, time and zone. A time in the past continues at once.",
      ),
  },
  compile({ context, path, keys }) {
    const until = compileMoment(context, [...path, "delay_until"], keys.delay_until);
    return (
      until && {
        perform({ view, now }) {
          const time = until(view);
          if (!time.ok) return { kind: "not-ready", message: time.error };
          const delayMs = Math.max(0, time.value - now);
          return delayMs <= MAX_DURATION_MS
            ? { kind: "timer", delayMs }
            : { kind: "not-ready", message: "the time is too far away: at most 36500d" };
        },
      }
    );
  },
});
