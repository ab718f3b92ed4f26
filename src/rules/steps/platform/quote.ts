import { A_POST, actionStep, missing, postIn } from "./action-step.ts";
import { compilePostText } from "./post-text.ts";
import { quotingText } from "./said-text.ts";
import { published, withAttachments } from "./attachments.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/** `quote: TEXT` publishes a post that quotes the post of the event. */
export const quote = defineStep({
  example: example`
    triggers: [post.mentioned]
    actions:
      - quote: Look who is here!
  `,
  shape: { quote: quotingText.describe("Publish a post that quotes the post.") },
  needs: A_POST,
  gives: ["ids"],
  compile({ context, path, keys }) {
    const at = [...path, "quote"];
    const text = compilePostText(context, at, keys.quote);
    const quoted = withAttachments(context, at, keys.quote, text);
    if (!quoted) return undefined;
    return actionStep("quote", (run) => {
      const post = postIn(run.event);
      if (!post) return missing("there is no post to quote");
      const now = quoted.render(run);
      if (!now.ok) return now;
      const { id: postId, author } = post;
      const { media: _none, ...said } = published(now.value, keys.quote, run, author.username);
      return { ok: true, value: { type: "quote", postId, to: author.id, ...said } };
    });
  },
});
