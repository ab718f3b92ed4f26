import * as z from "zod";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import { example } from "../../example.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepBody } from "../../run/step.ts";
import { text } from "../../schema/pieces.ts";
import { defineStep } from "../step-kind.ts";
import { shownText } from "../written/written-text.ts";
import { actionStep, missing } from "./action-step.ts";

/** `delete_message` deletes the message of the event for the account, `delete_message: EVENT_ID` another one. */
export const deleteMessage = defineStep({
  example: example`
    conditions: [{ message.text: { matches: "\\\\b\\\\d{16}\\\\b" } }]
    actions:
      - delete_message
      - reply: "Please don't send card numbers. I deleted the message on my side."
  `,
  shape: {
    delete_message: z
      .union([text, z.strictObject({})])
      .describe("Delete the message for the account; the other person still sees it."),
  },
  needs: { field: "message.id", what: "a message" },
  takesId: true,
  bare: () => deletion(),
  compile({ context, path, keys }) {
    if (typeof keys.delete_message !== "string") return deletion();
    const written = shownText(context, [...path, "delete_message"]);
    return written && deletion(written);
  },
});

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
