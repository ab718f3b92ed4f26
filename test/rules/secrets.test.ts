import { describe, expect, it, test } from "vitest";
import { compile } from "../../src/rules/compile/compile.ts";
import { readSecrets } from "../../src/rules/secrets.ts";
import { messageReceived } from "../support/events.ts";
import { rulesetOf } from "./support/compiling.ts";
import { done, play } from "./support/playing.ts";

const calling = (argument: string, more = "") =>
  `  - id: a\n    triggers: [dm.received]${more}\n    actions:\n` +
  `      - call: ./crm.ts#find\n        with: {key: '${argument}'}\n`;
const rulesetCalling = (argument: string, more = "") =>
  rulesetOf(`rules:\n${calling(argument, more)}`);

describe("the secrets of a ruleset", () => {
  it("are listed with the place of their first use", () => {
    const { secrets } = rulesetOf(`
rules:
  - id: a
    triggers: [dm.received]
    actions:
      - call: ./crm.ts#find
        with:
          key: \${{ secrets.CRM_KEY }}
          nested: [{url: 'https://\${{ secrets["CRM_HOST"] }}/v1?k=\${{ secrets.CRM_KEY }}'}]
`);

    expect(
      secrets.map(({ name, problem: { line, column, length } }) => ({
        name,
        line,
        column,
        length,
      })),
    ).toEqual([
      { name: "CRM_KEY", line: 9, column: 20, length: 7 },
      { name: "CRM_HOST", line: 10, column: 39, length: 7 },
    ]);
  });

  test.each([
    { why: "used in an expression", argument: '${{ "Bearer " + secrets.KEY }}', names: ["KEY"] },
    { why: "two in one", argument: "${{ secrets.A + secrets.B }}", names: ["A", "B"] },
    { why: "said twice", argument: "${{ secrets.A }}${{ secrets.A }}", names: ["A"] },
    { why: "none", argument: "${{ message.text }}", names: [] },
  ])("are found: $why", ({ argument, names }) => {
    expect(rulesetCalling(argument).secrets.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    { why: "off", more: "\n    enabled: false" },
    { why: "a draft", more: "\n    stage: draft" },
    { why: "only watched", more: "\n    stage: shadow" },
  ])("exclude those of a rule that runs no step: $why", ({ more }) => {
    const { secrets, rules } = rulesetCalling("${{ secrets.KEY }}", more);

    expect(secrets).toEqual([]);
    expect(rules[0]?.secrets.map(({ name }) => name)).toEqual(["KEY"]);
  });

  test.each([
    { why: "a name made at run time", argument: "${{ secrets[message.text] }}" },
    { why: "all of them", argument: "${{ secrets }}" },
    { why: "their number", argument: "${{ size(secrets) }}" },
  ])("must be named literally: $why", ({ argument }) => {
    const { problems } = compile([
      { path: "a.yaml", text: `version: 1\nrules:\n${calling(argument)}` },
    ]);

    expect(problems).toMatchObject([
      { code: "secret-not-named", length: 7, help: "name it:  secrets.NAME" },
    ]);
  });
});

describe("the toolkit's own credentials", () => {
  test.each([
    "secrets.ANSWERBACK_KEY",
    'secrets["ANSWERBACK_APP_CONSUMER_SECRET"]',
    "secrets.ANSWERBACK_CONSOLE_ADMIN_TOKEN",
    "secrets.ANSWERBACK_ANYTHING",
    "secrets.Answerback_Key",
    "secrets.PGPASSWORD",
    'has(secrets.ANSWERBACK_KEY) ? secrets.ANSWERBACK_KEY : ""',
  ])("can't be read in rules: %s", (expression) => {
    const text = `version: 1\nrules:\n${calling(`\${{ ${expression} }}`)}`;

    const { problems, ruleset } = compile([{ path: "a.yaml", text }]);
    expect(problems).not.toEqual([]);
    for (const one of problems) expect(one).toMatchObject({ code: "secret-reserved", line: 7 });
    expect(ruleset.rules).toEqual([]);
  });

  test.each(["secrets.MY_ANSWERBACK_KEY", "secrets.ANSWERBACKS", "secrets.PGPASSWORD_2"])(
    "don't include similar names: %s",
    (expression) => {
      const text = `version: 1\nrules:\n${calling(`\${{ ${expression} }}`)}`;
      expect(compile([{ path: "a.yaml", text }]).problems).toEqual([]);
    },
  );

  test.each([
    { why: "as they are", value: "consumer-secret" },
    { why: "within another value", value: "Bearer consumer-secret" },
    { why: "though they are short", value: "short" },
  ])("can't be read under any name: $why", ({ value }) => {
    const { secrets } = rulesetCalling("${{ secrets.KEY }}");
    const read = readSecrets(
      secrets,
      { KEY: value },
      {
        credentials: ["consumer-secret", "short"],
      },
    );

    expect(read.values).toEqual({});
    expect(read.problems).toMatchObject([{ code: "secret-reserved", file: "a.yaml", line: 7 }]);
  });

  it("don't affect other values", () => {
    const { secrets } = rulesetCalling("${{ secrets.KEY }}");
    const read = readSecrets(
      secrets,
      { KEY: "a shorter one" },
      {
        credentials: ["consumer-secret", "short"],
      },
    );

    expect(read).toEqual({ values: { KEY: "a shorter one" }, problems: [] });
  });
});

describe("a secret with a name that JavaScript uses", () => {
  const NAMES = ["constructor", "toString", "__proto__"];

  test.each(NAMES)("has the value of its environment variable: %s", (name) => {
    const { secrets } = rulesetCalling(`\${{ secrets.${name} }}`);
    const { values, problems } = readSecrets(secrets, JSON.parse(`{"${name}": "k"}`));

    expect(Object.entries(values)).toEqual([[name, "k"]]);
    expect(problems).toEqual([]);
  });

  test.each(NAMES)("is missing without its environment variable: %s", (name) => {
    const { secrets } = rulesetCalling(`\${{ secrets.${name} }}`);
    const { values, problems } = readSecrets(secrets, {});

    expect(Object.entries(values)).toEqual([]);
    expect(problems).toMatchObject([{ line: 7 }]);
  });
});

describe("the names of environment variables that rules may read", () => {
  const { secrets } = rulesetCalling("${{ secrets.KEY }}");

  test.each([
    { why: "taken by the settings", limits: { settingNames: ["KEY"] }, code: "secret-reserved" },
    {
      why: "taken by the settings and listed",
      limits: { settingNames: ["KEY"], listed: ["KEY"] },
      code: "secret-reserved",
    },
    { why: "not listed", limits: { listed: ["OTHER"] }, code: "secret-not-listed" },
    { why: "not listed, where none is", limits: { listed: [] }, code: "secret-not-listed" },
  ])("exclude one that is $why", ({ limits, code }) => {
    const read = readSecrets(secrets, { KEY: "a value" }, limits);

    expect(read.values).toEqual({});
    expect(read.problems).toMatchObject([{ code, severity: "error", file: "a.yaml", line: 7 }]);
  });

  test.each([
    { limits: {} },
    { limits: { settingNames: ["OTHER"] } },
    { limits: { listed: ["KEY"] } },
  ])("include the others: $limits", ({ limits }) => {
    expect(readSecrets(secrets, { KEY: "a value" }, limits)).toEqual({
      values: { KEY: "a value" },
      problems: [],
    });
  });

  it("are suggested in the message for a name that is not listed, ready to be copied", () => {
    const [problem] = readSecrets(secrets, {}, { listed: ["OTHER"] }).problems;

    expect(problem?.help).toBe("write  secrets: [OTHER, KEY]");
  });
});

describe("reading secrets from the environment", () => {
  const { secrets } = rulesetCalling(
    '${{ secrets.KEY }}${{ has(secrets.EXTRA) ? secrets.EXTRA : "" }}',
  );

  it("reads only those that are used", () => {
    const { values, problems } = readSecrets(secrets, { KEY: "k", EXTRA: "e", PATH: "/bin" });

    expect(values).toEqual({ KEY: "k", EXTRA: "e" });
    expect(problems).toEqual([]);
  });

  test.each([
    { why: "not there", environment: {} },
    { why: "empty", environment: { KEY: "" } },
  ])("reports what is $why at its place, unless the rule works without it", ({ environment }) => {
    const { values, problems } = readSecrets(secrets, environment);

    expect(values).toEqual({});
    expect(problems).toMatchObject([
      {
        code: "secret-not-set",
        file: "a.yaml",
        line: 7,
        severity: "error",
        message: "the secret KEY is not set",
        help: "set it in the environment:  KEY=…",
      },
    ]);
  });

  it("returns what a call receives", () => {
    const ruleset = rulesetCalling("${{ secrets.KEY }}");
    const { values } = readSecrets(ruleset.secrets, { KEY: "k" });
    const [call] = play(messageReceived(), ruleset, done, { secrets: values });

    expect(call).toMatchObject({ kind: "call", with: { key: "k" } });
  });
});

test("can't be part of a step whose refusal would show it: a secret can't name the user to follow", () => {
  const text =
    "version: 1\nrules: [{id: a, triggers: [dm.received], actions: [{follow: '${{ secrets.KEY }}'}]}]";

  expect(compile([{ path: "a.yaml", text }]).problems).toMatchObject([{ code: "secret-in-text" }]);
});
