import { actionStep } from "./action-step.ts";
import { compilePostText } from "./post-text.ts";
import { postedText } from "./said-text.ts";
import { published, withAttachments } from "./attachments.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/** `create_post: TEXT` publishes a post that is not an answer. */
export const createPost = defineStep({
  example: example`
    triggers:
      - { trigger: schedule, cron: "0 9 * * mon-fri", zone: Europe/Berlin }
    actions:
      - create_post: Good morning! We are here until five.
  `,
  shape: { create_post: postedText.describe("Publish a new post.") },
  gives: ["ids"],
  compile({ context, path, keys }) {
    const at = [...path, "create_post"];
    const text = compilePostText(context, at, keys.create_post);
    const said = withAttachments(context, at, keys.create_post, text);
    if (!said) return undefined;
    return actionStep("create_post", (run) => {
      const now = said.render(run);
      if (!now.ok) return now;
      const { accountId: to } = run.event;
      return {
        ok: true,
        value: { type: "create_post", to, ...published(now.value, keys.create_post, run) },
      };
    });
  },
});
