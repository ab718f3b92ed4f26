import { A_PERSON } from "./action-step.ts";
import { compileOnPerson, onPerson, personGiven } from "./on-person.ts";
import { defineStep } from "../step-kind.ts";

/** `unfollow` concerns the person, `unfollow: USER_ID` somebody else. */
export const unfollow = defineStep({
  shape: { unfollow: personGiven.describe("No longer follow the person.") },
  needs: A_PERSON,
  bare: () => onPerson("unfollow"),
  compile: ({ context, path, keys }) => compileOnPerson("unfollow", context, path, keys.unfollow),
});
