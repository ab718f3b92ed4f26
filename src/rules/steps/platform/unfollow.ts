import { A_PERSON } from "./action-step.ts";
import { compileOnPerson, onPerson, personGiven } from "./on-person.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../schema/example.ts";

/** `unfollow` concerns the person, `unfollow: USER_ID` somebody else. */
export const unfollow = defineStep({
  example: example`
    triggers: [user.unfollowed]
    actions:
      - unfollow
  `,
  shape: { unfollow: personGiven.describe("No longer follow the person.") },
  needs: A_PERSON,
  bare: () => onPerson("unfollow"),
  compile: ({ context, path, keys }) => compileOnPerson("unfollow", context, path, keys.unfollow),
});
