import { ACTIONS } from "../../../actions/actions.ts";
import { type EventKindName, eventKind } from "../../../events/kinds/kinds.ts";
import { TRIGGER_FACTS } from "../../../events/triggers.ts";
import { A_PERSON, actionStep } from "./action-step.ts";
import { compilePostText } from "./post-text.ts";
import { messageTo } from "./reply-dm.ts";
import { replyTo } from "./reply-post.ts";
import { compileSaid, mapOf, postedText } from "./said-text.ts";
import { withAttachments } from "./attachments.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../example.ts";

/** `reply: TEXT` answers in the same way as the event: a message privately, a post by a public reply. */
export const reply = defineStep({
  example: example`
    triggers: [dm.received, post.mentioned]
    actions:
      - reply: Hi @\${{ sender.username }}, we open at nine.
  `,
  shape: {
    reply: postedText.describe("Answer a message with a message, and a post with a public reply."),
  },
  needs: A_PERSON,
  gives: ["ids"],
  result: { ...ACTIONS.reply_dm.result.fields, ...ACTIONS.reply_post.result.fields },
  compile({ context, path, keys }) {
    const kinds = context.scope.triggers.map((trigger) => TRIGGER_FACTS[trigger].kind);
    const [inPublic, other] = [kinds.some(isAskedInPublic), !kinds.every(isAskedInPublic)];
    const compile = inPublic ? compilePostText : compileSaid;
    const at = [...path, "reply"];
    if (other && mapOf(keys.reply)?.poll !== undefined) {
      const message = "a private message has no poll, and this rule can answer one";
      const help = inPublic
        ? "write a rule for posts alone: there,  reply:  and  reply_post:  may have a poll"
        : "publish a post with  create_post:  (reply_post: needs a trigger such as post.mentioned)";
      return context.report([...at, "poll"], { code: "poll-value", message, help }, "key");
    }
    const said = withAttachments(context, at, keys.reply, compile(context, at, keys.reply));
    if (!said) return undefined;
    const step = actionStep(inPublic ? "reply_post" : "reply_dm", (run) => {
      const now = said.render(run);
      if (!now.ok) return now;
      return isAskedInPublic(run.event.kind)
        ? replyTo(run, now.value, keys.reply)
        : messageTo(run.event, now.value);
    });
    return inPublic && other ? { ...step, otherAction: "reply_dm" } : step;
  },
});

function isAskedInPublic(kind: EventKindName): boolean {
  return eventKind(kind).answeredBy === "post";
}
