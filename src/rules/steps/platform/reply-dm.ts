import type { AccountEvent } from "../../../events/event.ts";
import type { Action } from "../../../actions/actions.ts";
import { placeOfReply } from "../../../actions/reply-dm.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import type { Evaluated } from "../../expression/expression.ts";
import { A_PERSON, actionStep, missing } from "./action-step.ts";
import { compileSaid, saidText } from "./said-text.ts";
import { type SaidNow, sentPrivately, withAttachments } from "./attachments.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/** `reply_dm: TEXT` sends a private message to the person of the event. A message of a group is answered in the group. */
export const replyDm = defineStep({
  example: example`
    triggers: [user.followed]
    actions:
      - reply_dm: Thanks for following, \${{ sender.name }}!
  `,
  shape: {
    reply_dm: saidText.describe("Send a message to the person; in a group, to the group."),
  },
  needs: A_PERSON,
  compile({ context, path, keys }) {
    const at = [...path, "reply_dm"];
    const text = compileSaid(context, at, keys.reply_dm);
    const said = withAttachments(context, at, keys.reply_dm, text);
    if (!said) return undefined;
    return actionStep("reply_dm", (run) => {
      const now = said.render(run);
      return now.ok ? messageTo(run.event, now.value) : now;
    });
  },
});

/** Creates a message to the person of `event`, in the group if the event is from a group. */
export function messageTo(event: AccountEvent, said: SaidNow): Evaluated<Action> {
  const to = counterpartOf(event);
  if (to === undefined) return missing("there is nobody to write to");
  const place = placeOfReply(event, to);
  return { ok: true, value: { type: "reply_dm", ...place, ...sentPrivately(said) } };
}
