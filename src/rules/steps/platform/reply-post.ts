import type { AccountEvent } from "../../../events/event.ts";
import type { Action } from "../../../actions/actions.ts";
import type { Evaluated } from "../../compile/expression.ts";
import { A_POST, actionStep, missing, postIn } from "./action-step.ts";
import { compilePostText } from "./post-text.ts";
import { saidText } from "./said-text.ts";
import { defineStep } from "../step-kind.ts";

/** `reply_post: TEXT` answers the post that the event is about, in public. */
export const replyPost = defineStep({
  shape: { reply_post: saidText.describe("Answer the post.") },
  needs: A_POST,
  compile({ context, path, keys }) {
    const said = compilePostText(context, [...path, "reply_post"], keys.reply_post);
    if (!said) return undefined;
    return actionStep("reply_post", (run) => {
      const text = said.render(run);
      return text.ok ? replyTo(run.event, text.value) : text;
    });
  },
});

/** A public reply to the post that `event` is about. */
export function replyTo(event: AccountEvent, text: string): Evaluated<Action> {
  const post = postIn(event);
  if (!post) return missing("there is no post to answer");
  const { id: inReplyTo, author } = post;
  return { ok: true, value: { type: "reply_post", inReplyTo, to: author.id, text } };
}
