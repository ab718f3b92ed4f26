import { durationMs } from "../../../system/duration.ts";
import { duration } from "../../schema/pieces.ts";
import { A_PERSON } from "./action-step.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/** `typing: 2s` pauses to simulate typing. The platform can't show an indicator: the person only notices the pause. */
export const typing = defineStep({
  example: example`
    actions:
      - typing: 2s
      - reply_dm: Let me see.
  `,
  shape: {
    typing: duration.describe(
      "Wait for the time that a person would need to type. The platform can't show a typing indicator.",
    ),
  },
  needs: A_PERSON,
  compile: ({ keys }) => ({
    perform: () => ({ kind: "timer", delayMs: durationMs(keys.typing), typing: true }),
  }),
});
