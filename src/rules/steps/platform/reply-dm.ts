import type { AccountEvent } from "../../../events/event.ts";
import type { Action } from "../../../actions/actions.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import type { Evaluated } from "../../compile/expression.ts";
import { A_PERSON, actionStep, missing } from "./action-step.ts";
import { compileSaid, saidText } from "./said-text.ts";
import { defineStep } from "../step-kind.ts";

/** `reply_dm: TEXT` writes to the person whom the event is about. */
export const replyDm = defineStep({
  shape: { reply_dm: saidText.describe("Send a message to the person.") },
  needs: A_PERSON,
  compile({ context, path, keys }) {
    const said = compileSaid(context, [...path, "reply_dm"], keys.reply_dm);
    if (!said) return undefined;
    return actionStep("reply_dm", (run) => {
      const text = said.render(run);
      return text.ok ? messageTo(run.event, text.value) : text;
    });
  },
});

/** A message to the person whom `event` is about. */
export function messageTo(event: AccountEvent, text: string): Evaluated<Action> {
  const to = counterpartOf(event);
  if (to === undefined) return missing("there is nobody to write to");
  return { ok: true, value: { type: "reply_dm", to, text } };
}
