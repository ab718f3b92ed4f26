import { A_PERSON } from "./action-step.ts";
import { compileOnPerson, onPerson, personGiven } from "./on-person.ts";
import { defineStep } from "../step-kind.ts";

/** `follow` concerns the person, `follow: USER_ID` somebody else. */
export const follow = defineStep({
  shape: { follow: personGiven.describe("Follow the person.") },
  needs: A_PERSON,
  bare: () => onPerson("follow"),
  compile: ({ context, path, keys }) => compileOnPerson("follow", context, path, keys.follow),
});
