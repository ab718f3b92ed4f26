import { A_POST, actionStep, missing, postIn, textStep, textToSend } from "./action-step.ts";
import { defineStep } from "./step-kind.ts";
import { shownText, textPath } from "./written-text.ts";

/** `reply_post: TEXT` answers the post that the event is about, in public. */
export const replyPost = defineStep({
  shape: { reply_post: textStep.describe("Answer the post.") },
  needs: A_POST,
  compile({ context, path, keys: { reply_post } }) {
    const template = shownText(context, textPath([...path, "reply_post"], reply_post, "text"));
    if (!template) return undefined;
    return actionStep("reply_post", (run) => {
      const post = postIn(run.event);
      if (!post) return missing("there is no post to answer");
      const text = textToSend(template, run);
      if (!text.ok) return text;
      const { id: inReplyTo, author } = post;
      return {
        ok: true,
        value: { type: "reply_post", inReplyTo, to: author.id, text: text.value },
      };
    });
  },
});
