import * as z from "zod";
import type { StepBody } from "../../run/step.ts";
import { A_POST, actionStep, missing, postIn } from "./action-step.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/** `repost` reposts the post of the event. */
export const repost = defineStep({
  example: example`
    triggers: [post.mentioned]
    conditions: [{ sender.labels: { contains: partner } }]
    actions:
      - repost
  `,
  shape: { repost: z.strictObject({}).describe("Repost the post.") },
  needs: A_POST,
  bare: () => repostStep(),
  compile: () => repostStep(),
});

function repostStep(): StepBody {
  return actionStep("repost", ({ event }) => {
    const post = postIn(event);
    if (!post) return missing("there is no post to repost");
    return { ok: true, value: { type: "repost", postId: post.id, to: post.author.id } };
  });
}
