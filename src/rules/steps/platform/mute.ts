import { A_PERSON } from "./action-step.ts";
import { compileOnPerson, onPerson, personGiven } from "./on-person.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../schema/example.ts";

/** `mute` concerns the person, `mute: USER_ID` somebody else. */
export const mute = defineStep({
  example: example`
    triggers: [post.mentioned]
    conditions: [{ sender.followers_count: { lt: 3 } }]
    actions:
      - mute
  `,
  shape: { mute: personGiven.describe("Mute the person.") },
  needs: A_PERSON,
  bare: () => onPerson("mute"),
  compile: ({ context, path, keys }) => compileOnPerson("mute", context, path, keys.mute),
});
