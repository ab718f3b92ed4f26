import type { RELATION_ACTIONS } from "../../../actions/relations.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { StepBody } from "../../run/step.ts";
import { example } from "../../example.ts";
import type { StepKind } from "../step-kind.ts";
import { A_PERSON, actionStep, missing } from "./action-step.ts";
import { type ObjectStep, stepOnObject } from "./on-object.ts";

type PersonVerb = keyof typeof RELATION_ACTIONS;

/** Steps about a person: `follow` for the person of the event, `follow: USER_ID` for another person. */
export const ON_PERSON: Readonly<Record<PersonVerb, StepKind>> = {
  follow: stepOnPerson("follow", {
    about: "Follow the person.",
    example: example`
      triggers: [user.followed]
      conditions: [{ sender.verified: true }]
      actions:
        - follow
    `,
  }),
  unfollow: stepOnPerson("unfollow", {
    about: "No longer follow the person.",
    example: example`
      triggers: [user.unfollowed]
      actions:
        - unfollow
    `,
  }),
  block: stepOnPerson("block", {
    about: "Block the person.",
    example: example`
      conditions: [{ message.text: { contains_word: [casino, lottery] } }]
      actions:
        - block
    `,
  }),
  unblock: stepOnPerson("unblock", {
    about: "No longer block the person.",
    example: example`
      conditions: [{ sender.labels: { contains: pardoned } }]
      actions:
        - unblock
    `,
  }),
  mute: stepOnPerson("mute", {
    about: "Mute the person.",
    example: example`
      triggers: [post.mentioned]
      conditions: [{ sender.followers_count: { lt: 3 } }]
      actions:
        - mute
    `,
  }),
  unmute: stepOnPerson("unmute", {
    about: "No longer mute the person.",
    example: example`
      conditions: [{ message.text: { contains_word: sorry } }]
      actions:
        - unmute
    `,
  }),
};

function stepOnPerson(verb: PersonVerb, step: ObjectStep): StepKind {
  return stepOnObject(verb, A_PERSON, step, (id) => onPerson(verb, id));
}

/** Creates the step of `verb` for the person of the event, or for the person with the id `user`. */
function onPerson(verb: PersonVerb, user?: TextTemplate): StepBody {
  return actionStep(verb, ({ event, view }) => {
    const named = user?.render(view);
    if (named && !named.ok) return named;
    const to = named?.value ?? counterpartOf(event);
    if (to === undefined) return missing(`there is nobody to ${verb}`);
    if (!/^\d+$/.test(to)) return missing(`"${to}" is not a user id`);
    if (to === event.accountId) return missing(`the account can't ${verb} itself`);
    return { ok: true, value: { type: verb, to } };
  });
}
