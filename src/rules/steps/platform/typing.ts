import { durationMs } from "../../../system/duration.ts";
import { duration } from "../../schema/pieces.ts";
import { A_PERSON } from "./action-step.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/**
 * `typing: 2s` waits as somebody who types does. The platform's interface has no way to show it, so the
 * person sees the pause and nothing else.
 */
export const typing = defineStep({
  example: example`
    actions:
      - typing: 2s
      - reply_dm: Let me see.
  `,
  shape: {
    typing: duration.describe(
      "Wait so long, as somebody who types. The platform has no way to show it.",
    ),
  },
  needs: A_PERSON,
  compile: ({ keys }) => ({
    perform: () => ({ kind: "timer", delayMs: durationMs(keys.typing), typing: true }),
  }),
});
