import { expect, test } from "vitest";
import { unknownVariables } from "../../../src/config/environment/unknown-variables.ts";

test.each([
  { name: "ANSWERBACK_TARGT", isKnown: false, why: "a slip" },
  { name: "ANSWERBACK_TARGET", isKnown: true, why: "a setting" },
  { name: "ANSWERBACK_KEY", isKnown: true, why: "it seals the tokens" },
  { name: "ANSWERBACK_TEST_INSTALL", isKnown: true, why: "who develops the toolkit has it set" },
  { name: "PATH", isKnown: true, why: "it looks like no setting" },
])("$name is known: $isKnown, since $why", ({ name, isKnown }) => {
  expect(unknownVariables({ [name]: "1" }, "").length === 0).toBe(isKnown);
});

test("a variable that the settings name is theirs", () => {
  expect(unknownVariables({ ANSWERBACK_MINE: "1" }, "token: ${ANSWERBACK_MINE}")).toEqual([]);
});
