import { A_POST, actionStep, missing, postIn } from "./action-step.ts";
import { compilePostText } from "./post-text.ts";
import { saidText } from "./said-text.ts";
import { defineStep } from "../step-kind.ts";

/** `quote: TEXT` publishes a post that quotes the post that the event is about. */
export const quote = defineStep({
  shape: { quote: saidText.describe("Publish a post that quotes the post.") },
  needs: A_POST,
  compile({ context, path, keys }) {
    const said = compilePostText(context, [...path, "quote"], keys.quote);
    if (!said) return undefined;
    return actionStep("quote", (run) => {
      const post = postIn(run.event);
      if (!post) return missing("there is no post to quote");
      const text = said.render(run);
      if (!text.ok) return text;
      const { id: postId, author } = post;
      return { ok: true, value: { type: "quote", postId, to: author.id, text: text.value } };
    });
  },
});
