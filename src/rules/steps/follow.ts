import * as z from "zod";
import type { TextTemplate } from "../compile/template.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";
import type { StepBody } from "../run/step.ts";
import { text } from "../schema/pieces.ts";
import { A_PERSON, actionStep, missing } from "./action-step.ts";
import { defineStep } from "./step-kind.ts";
import { shownText } from "./written-text.ts";

/** `follow` follows the person, `follow: USER_ID` somebody else. */
export const follow = defineStep({
  shape: { follow: z.union([text, z.strictObject({})]).describe("Follow the person.") },
  needs: A_PERSON,
  bare: () => followStep(),
  compile({ context, path, keys }) {
    if (typeof keys.follow !== "string") return followStep();
    const user = shownText(context, [...path, "follow"]);
    return user && followStep(user);
  },
});

function followStep(user?: TextTemplate): StepBody {
  return actionStep("follow", ({ event, view }) => {
    const named = user?.render(view);
    if (named && !named.ok) return named;
    const to = named?.value ?? counterpartOf(event);
    if (to === undefined) return missing("there is nobody to follow");
    if (!/^\d+$/.test(to)) return missing(`"${to}" is not a user id`);
    return { ok: true, value: { type: "follow", to } };
  });
}
