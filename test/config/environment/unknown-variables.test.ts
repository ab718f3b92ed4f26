import { expect, test } from "vitest";
import { unknownVariables } from "../../../src/config/environment/unknown-variables.ts";
import { readYaml } from "../../../src/config/yaml-document.ts";

const settings = (text: string) => readYaml(text, "answerback.yaml");

test.each([
  { name: "ANSWERBACK_TARGT", isKnown: false, why: "a slip" },
  { name: "ANSWERBACK_TARGET", isKnown: true, why: "a setting" },
  { name: "ANSWERBACK_KEY", isKnown: true, why: "it seals the tokens" },
  { name: "ANSWERBACK_TEST_INSTALL", isKnown: true, why: "who develops the toolkit has it set" },
  { name: "PATH", isKnown: true, why: "it looks like no setting" },
])("$name is known: $isKnown, since $why", ({ name, isKnown }) => {
  expect(unknownVariables({ [name]: "1" }, settings("")).length === 0).toBe(isKnown);
});

test.each([
  { text: "app: { bearer_token: '${{ env.ANSWERBACK_MINE }}' }", isKnown: true },
  { text: "accounts: ['${{env.ANSWERBACK_MINE}}']", isKnown: true },
  { text: "secrets: [ANSWERBACK_MINE]", isKnown: true },
  { text: "secrets: ANSWERBACK_MINE", isKnown: false },
  { text: "app: { bearer_token: '${{ env.ANSWERBACK_MINED }}' }", isKnown: false },
  { text: "# such as ANSWERBACK_MINE", isKnown: false },
  { text: "# ${{ env.ANSWERBACK_MINE }}", isKnown: false },
  { text: "process_name: ANSWERBACK_MINE", isKnown: false },
])("a variable that the settings name as a variable is theirs: $text", ({ text, isKnown }) => {
  const problems = unknownVariables({ ANSWERBACK_MINE: "1" }, settings(text));

  expect(problems.length === 0).toBe(isKnown);
});

test("variables by which Kubernetes and Docker describe a service called answerback are no settings", () => {
  const serviceLinks = {
    ANSWERBACK_SERVICE_HOST: "10.0.0.7",
    ANSWERBACK_SERVICE_PORT: "80",
    ANSWERBACK_SERVICE_PORT_HTTP: "80",
    ANSWERBACK_PORT: "tcp://10.0.0.7:80",
    ANSWERBACK_PORT_80_TCP: "tcp://10.0.0.7:80",
    ANSWERBACK_PORT_80_TCP_PROTO: "tcp",
    ANSWERBACK_PORT_80_TCP_PORT: "80",
    ANSWERBACK_PORT_80_TCP_ADDR: "10.0.0.7",
    ANSWERBACK_RECEIVER_SERVICE_HOST: "10.0.0.8",
  };

  expect(unknownVariables(serviceLinks, settings(""))).toEqual([]);
  expect(unknownVariables({ ANSWERBACK_PORT: "8080" }, settings(""))).toHaveLength(1);
});
