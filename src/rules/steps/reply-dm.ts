import { counterpartOf } from "../../events/kinds/kinds.ts";
import { A_PERSON, actionStep, missing, textStep, textToSend } from "./action-step.ts";
import { defineStep } from "./step-kind.ts";
import { shownText, textPath } from "./written-text.ts";

/** `reply_dm: TEXT` writes to the person whom the event is about. */
export const replyDm = defineStep({
  shape: { reply_dm: textStep.describe("Send a message to the person.") },
  needs: A_PERSON,
  compile({ context, path, keys: { reply_dm } }) {
    const template = shownText(context, textPath([...path, "reply_dm"], reply_dm, "text"));
    if (!template) return undefined;
    return actionStep("reply_dm", (run) => {
      const to = counterpartOf(run.event);
      if (to === undefined) return missing("there is nobody to write to");
      const text = textToSend(template, run);
      return text.ok ? { ok: true, value: { type: "reply_dm", to, text: text.value } } : text;
    });
  },
});
