import * as z from "zod";
import type { TextTemplate } from "../expression/template.ts";
import type { StepBody } from "../run/step.ts";
import { text } from "../schema/pieces.ts";
import { defineStep } from "./step-kind.ts";
import { shownText, textPath } from "./written/written-text.ts";
import { example } from "../example.ts";

type Ending = "stopped" | "failed";

const withReason = z.strictObject({
  outcome: z.enum(["stopped", "failed"]).default("stopped"),
  reason: text,
});

/** `stop` ends the run of the rule; `stop: REASON` records a reason. */
export const stop = defineStep({
  example: example`
    actions:
      - if: sender.followers_count < 3
        then: [{ stop: probably nobody }]
      - reply_dm: Hi!
  `,
  shape: { stop: z.union([text, withReason]).describe("End the run here, with a reason.") },
  bare(context, path) {
    const reason = context.template(path, "stop");
    return reason && stopStep(reason, "stopped");
  },
  compile({ context, path, keys }) {
    const outcome = typeof keys.stop === "object" ? keys.stop.outcome : "stopped";
    const reason = shownText(context, textPath([...path, "stop"], keys.stop, "reason"));
    return reason && stopStep(reason, outcome);
  },
});

function stopStep(template: TextTemplate, outcome: Ending): StepBody {
  return {
    perform({ view }) {
      const reason = template.render(view);
      return reason.ok
        ? { kind: "end", outcome, reason: reason.value }
        : { kind: "not-ready", message: reason.error };
    },
  };
}
