import { actionStep } from "./action-step.ts";
import { compilePostText } from "./post-text.ts";
import { saidText } from "./said-text.ts";
import { defineStep } from "../step-kind.ts";

/** `create_post: TEXT` publishes a post that answers nobody. */
export const createPost = defineStep({
  shape: { create_post: saidText.describe("Publish a post of the account's own.") },
  compile({ context, path, keys }) {
    const said = compilePostText(context, [...path, "create_post"], keys.create_post);
    if (!said) return undefined;
    return actionStep("create_post", (run) => {
      const text = said.render(run);
      if (!text.ok) return text;
      const { accountId: to } = run.event;
      return { ok: true, value: { type: "create_post", to, text: text.value } };
    });
  },
});
