import { counterpartOf } from "../../../events/kinds/kinds.ts";
import { example } from "../../example.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepBody } from "../../run/step.ts";
import type { FieldNeed } from "../step-kind.ts";
import { actionStep, missing } from "./action-step.ts";
import { stepOnObject } from "./on-object.ts";

const A_MESSAGE: FieldNeed = { field: "message.id", what: "a message" };

/** `delete_message` deletes the message of the event for the account, `delete_message: EVENT_ID` another message. */
export const deleteMessage = stepOnObject(
  "delete_message",
  A_MESSAGE,
  {
    about: "Delete the message for the account; the other person still sees it.",
    example: example`
      conditions: [{ message.text: { matches: '\b\d{16}\b' } }]
      actions:
        - delete_message
        - reply: "Please don't send card numbers. I deleted the message on my side."
    `,
  },
  deletion,
);

function deletion(written?: TextTemplate): StepBody {
  return actionStep("delete_message", ({ event, view }) => {
    const named = written?.render(view);
    if (named && !named.ok) return named;
    const eventId = named?.value ?? (event.kind === "message" ? event.message.id : undefined);
    if (eventId === undefined) return missing("there is no message to delete");
    if (!/^\d+$/.test(eventId)) return missing(`"${eventId}" is not the id of a message`);
    const to = counterpartOf(event) ?? event.accountId;
    return { ok: true, value: { type: "delete_message", eventId, to } };
  });
}
