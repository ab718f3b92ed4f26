import * as z from "zod";
import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { TextTemplate } from "../../expression/template.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import type { StepBody } from "../../run/step.ts";
import { text } from "../../schema/pieces.ts";
import { actionStep, missing } from "./action-step.ts";
import { shownText } from "../written/written-text.ts";

/** What the verbs share that do something to a person: to the event's, or to the one whose id they name. */

export type PersonVerb = "follow" | "unfollow" | "block" | "mute";

/** A user id, as text that may be an expression; or nothing, for the person of the event. */
export const personGiven = z.union([text, z.strictObject({})]);

/** The step of `verb` as it is written at `path`. */
export function compileOnPerson(
  verb: PersonVerb,
  context: StepContext,
  path: Path,
  given: z.infer<typeof personGiven>,
): StepBody | undefined {
  if (typeof given !== "string") return onPerson(verb);
  const user = shownText(context, [...path, verb]);
  return user && onPerson(verb, user);
}

/** The step of `verb`, done to the person of the event unless `user` gives another one. */
export function onPerson(verb: PersonVerb, user?: TextTemplate): StepBody {
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
