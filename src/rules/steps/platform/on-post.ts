import type { OnPostVerb } from "../../../actions/post-verbs.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import { example } from "../../example.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepBody } from "../../run/step.ts";
import type { StepKind } from "../step-kind.ts";
import { A_POST, actionStep, missing, postIn } from "./action-step.ts";
import { type ObjectStep, stepOnObject } from "./on-object.ts";

/** Steps that are done to a post: `like` for the post of the event, `like: POST_ID` for another post. */
export const ON_POST: Readonly<Record<OnPostVerb, StepKind>> = {
  repost: stepOnPost("repost", {
    about: "Repost the post.",
    example: example`
      triggers: [post.mentioned]
      conditions: [{ sender.labels: { contains: partner } }]
      actions:
        - repost
    `,
  }),
  undo_repost: stepOnPost("undo_repost", {
    about: "Remove the account's repost of the post.",
    example: example`
      triggers: [post.edited]
      actions:
        - undo_repost
    `,
  }),
  like: stepOnPost("like", {
    about: "Like the post.",
    example: example`
      triggers: [post.replied]
      actions:
        - like
    `,
  }),
  unlike: stepOnPost("unlike", {
    about: "Remove the account's like of the post.",
    example: example`
      triggers: [post.edited]
      actions:
        - unlike
    `,
  }),
  hide_reply: stepOnPost("hide_reply", {
    about: "Hide the reply to a post of the account; everybody can still open hidden replies.",
    example: example`
      triggers: [post.replied]
      conditions: [{ post.text: { contains_word: [casino, lottery] } }]
      actions:
        - hide_reply
    `,
  }),
  unhide_reply: stepOnPost("unhide_reply", {
    about: "Show a hidden reply again.",
    example: example`
      triggers: [post.edited]
      conditions: [{ not: { post.text: { contains_word: [casino, lottery] } } }]
      actions:
        - unhide_reply
    `,
  }),
  delete_post: stepOnPost("delete_post", {
    about: "Delete a post of the account.",
    example: example`
      triggers: [dm.received]
      conditions:
        - sender.labels: { contains: editor }
        - message.text: { matches: '^delete (?<id>\d+)$' }
      actions:
        - delete_post: "\${{ captures.id }}"
    `,
  }),
};

function stepOnPost(verb: OnPostVerb, step: ObjectStep): StepKind {
  return stepOnObject(verb, A_POST, step, (id) => onPost(verb, id));
}

/** Creates the step of `verb` for the post of the event, or for the post with the id `written`. */
function onPost(verb: OnPostVerb, written?: TextTemplate): StepBody {
  return actionStep(verb, ({ event, view }) => {
    const eventPost = postIn(event);
    const named = written?.render(view);
    if (named && !named.ok) return named;
    const postId = named?.value ?? eventPost?.id;
    if (postId === undefined) return missing(`there is no post for ${verb}`);
    if (!/^\d+$/.test(postId)) return missing(`"${postId}" is not a post id`);
    const author = postId === eventPost?.id ? eventPost.author.id : undefined;
    const to = author ?? counterpartOf(event) ?? event.accountId;
    return { ok: true, value: { type: verb, postId, to } };
  });
}
