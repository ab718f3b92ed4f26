import type { Action } from "../../../actions/actions.ts";
import type { StepRun } from "../../run/step.ts";
import type { Evaluated } from "../../expression/expression.ts";
import { A_POST, actionStep, missing, postIn } from "./action-step.ts";
import { compilePostText } from "./post-text.ts";
import { postedText, type SaidText } from "./said-text.ts";
import { published, type SaidNow, withAttachments } from "./attachments.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/** `reply_post: TEXT` answers the post of the event, in public. */
export const replyPost = defineStep({
  example: example`
    triggers: [post.mentioned]
    actions:
      - reply_post: Thanks! Send us a message, and we look into it.
  `,
  shape: { reply_post: postedText.describe("Answer the post.") },
  needs: A_POST,
  gives: ["ids"],
  compile({ context, path, keys }) {
    const at = [...path, "reply_post"];
    const text = compilePostText(context, at, keys.reply_post);
    const said = withAttachments(context, at, keys.reply_post, text);
    if (!said) return undefined;
    return actionStep("reply_post", (run) => {
      const now = said.render(run);
      return now.ok ? replyTo(run, now.value, keys.reply_post) : now;
    });
  },
});

/** Creates a public reply to the post of the event. */
export function replyTo(run: StepRun, now: SaidNow, written: SaidText): Evaluated<Action> {
  const post = postIn(run.event);
  if (!post) return missing("there is no post to answer");
  const { id: inReplyTo, author } = post;
  const said = published(now, written, run, author.username);
  return { ok: true, value: { type: "reply_post", inReplyTo, to: author.id, ...said } };
}
