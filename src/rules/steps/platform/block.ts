import { A_PERSON } from "./action-step.ts";
import { compileOnPerson, onPerson, personGiven } from "./on-person.ts";
import { defineStep } from "../step-kind.ts";
import { example } from "../../schema/example.ts";

/** `block` concerns the person, `block: USER_ID` somebody else. */
export const block = defineStep({
  example: example`
    conditions: [{ message.text: { contains_word: [casino, lottery] } }]
    actions:
      - block
  `,
  shape: { block: personGiven.describe("Block the person.") },
  needs: A_PERSON,
  bare: () => onPerson("block"),
  compile: ({ context, path, keys }) => compileOnPerson("block", context, path, keys.block),
});
