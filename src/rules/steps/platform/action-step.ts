import type { Action } from "../../../actions/actions.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { Evaluated } from "../../expression/expression.ts";
import { sendable } from "../../expression/seen-text.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepBody, StepRun } from "../../run/step.ts";
import type { FieldNeed } from "../step-kind.ts";

/** Fields of the event that steps require: `reply_dm` needs a person, `like` needs a post. */

export const A_PERSON: FieldNeed = { field: "sender.id", what: "a person" };
export const A_POST: FieldNeed = { field: "post.author.id", what: "a post" };

/** Creates a step that sends an action to the platform. `make` builds the action from the values of the run. */
export function actionStep(
  type: Action["type"],
  make: (run: StepRun) => Evaluated<Action>,
): StepBody {
  return {
    action: type,
    perform(run) {
      const builtAction = make(run);
      return builtAction.ok
        ? { kind: "action", action: builtAction.value }
        : { kind: "not-ready", message: builtAction.error };
    },
  };
}

/** Renders the text to send, without the line break that a YAML block has at its end. */
export function textToSend(
  template: TextTemplate,
  { view }: StepRun,
): Evaluated<{ readonly text: string; readonly template: TextTemplate }> {
  const rendered = template.render(view);
  if (!rendered.ok) return rendered;
  const text = sendable(rendered.value).trim();
  return text === "" ? missing("the text is empty") : { ok: true, value: { text, template } };
}

/** Returns the post that an event is about; undefined for an event without a post. */
export function postIn(event: AccountEvent) {
  return "post" in event ? event.post : undefined;
}

export function missing(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}
