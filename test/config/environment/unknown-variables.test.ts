import { expect, test } from "vitest";
import { unknownVariables } from "../../../src/config/environment/unknown-variables.ts";

test.each([
  { name: "ANSWERBACK_TARGT", known: false, why: "a slip" },
  { name: "ANSWERBACK_TARGET", known: true, why: "a setting" },
  { name: "ANSWERBACK_KEY", known: true, why: "it seals the tokens" },
  { name: "ANSWERBACK_TEST_INSTALL", known: true, why: "who develops the toolkit has it set" },
  { name: "PATH", known: true, why: "it looks like no setting" },
])("$name is known: $known, since $why", ({ name, known }) => {
  expect(unknownVariables({ [name]: "1" }, "").length === 0).toBe(known);
});

test("a variable that the settings name is theirs", () => {
  expect(unknownVariables({ ANSWERBACK_MINE: "1" }, "token: ${ANSWERBACK_MINE}")).toEqual([]);
});
