import * as z from "zod";
import type { StepBody } from "../../run/step.ts";
import { A_POST, actionStep, missing, postIn } from "./action-step.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/** `like` likes the post of the event. */
export const like = defineStep({
  example: example`
    triggers: [post.replied]
    actions:
      - like
  `,
  shape: { like: z.strictObject({}).describe("Like the post.") },
  needs: A_POST,
  bare: () => likeStep(),
  compile: () => likeStep(),
});

function likeStep(): StepBody {
  return actionStep("like", ({ event }) => {
    const post = postIn(event);
    if (!post) return missing("there is no post to like");
    return { ok: true, value: { type: "like", postId: post.id, to: post.author.id } };
  });
}
