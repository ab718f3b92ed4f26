import { A_PERSON } from "./action-step.ts";
import { compileOnPerson, onPerson, personGiven } from "./on-person.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../schema/example.ts";

/** `follow` concerns the person, `follow: USER_ID` somebody else. */
export const follow = defineStep({
  example: example`
    triggers: [user.followed]
    conditions: [{ sender.verified: true }]
    actions:
      - follow
  `,
  shape: { follow: personGiven.describe("Follow the person.") },
  needs: A_PERSON,
  bare: () => onPerson("follow"),
  compile: ({ context, path, keys }) => compileOnPerson("follow", context, path, keys.follow),
});
