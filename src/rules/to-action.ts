import type { Action } from "../actions/action.ts";
import type { AccountEvent } from "../events/event.ts";
import type { Outcome } from "./expression.ts";
import { personOf } from "./person.ts";
import type { Step } from "./step.ts";
import type { View } from "./view.ts";

type ActionStep = Extract<Step, { readonly verb: "reply_dm" | "reply_post" | "like" | "follow" }>;

/** The action that a step asks for, its text filled in. */
export function toAction(step: ActionStep, event: AccountEvent, view: View): Outcome<Action> {
  switch (step.verb) {
    case "reply_dm": {
      const to = personOf(event);
      if (to === undefined) return no("there is nobody to write to");
      const text = filled(step.text.render(view));
      return text.ok ? yes({ type: "reply_dm", to, text: text.value }) : text;
    }
    case "reply_post": {
      if (!("post" in event)) return no("there is no post to answer");
      const text = filled(step.text.render(view));
      const { id: inReplyTo, author } = event.post;
      return text.ok
        ? yes({ type: "reply_post", inReplyTo, to: author.id, text: text.value })
        : text;
    }
    case "like": {
      if (!("post" in event)) return no("there is no post to like");
      return yes({ type: "like", postId: event.post.id, to: event.post.author.id });
    }
    case "follow": {
      const user = step.user?.render(view);
      if (user && !user.ok) return user;
      const to = user?.value ?? personOf(event);
      if (to === undefined) return no("there is nobody to follow");
      return /^\d+$/.test(to) ? yes({ type: "follow", to }) : no(`"${to}" is not a user id`);
    }
  }
}

/** A text that can be sent: the line break that a YAML block leaves at its end is not part of it. */
function filled(text: Outcome<string>): Outcome<string> {
  if (!text.ok) return text;
  const value = text.value.trim();
  return value === "" ? no("the text is empty") : { ok: true, value };
}

function yes(value: Action): Outcome<Action> {
  return { ok: true, value };
}

function no(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}
