import { expect, it } from "vitest";
import { compileRules, explain } from "../../src/index.ts";
import { messageReceived } from "../support/events.ts";

const GREET = `version: 1
rules:
  - id: greet
    triggers: [dm.received]
    conditions:
      - message.text: { contains_word: hello }
    actions:
      - reply_dm: { text: "Hello!" }
`;

it("returns a ruleset with which an author's test can decide events", () => {
  const { ruleset, problems } = compileRules(GREET);
  const said = (text: string) =>
    explain(messageReceived({ text }), ruleset, { now: Date.UTC(2026, 0, 1) });

  expect(problems).toEqual([]);
  expect(said("hello there")).toMatchObject([{ ruleId: "greet", outcome: "ran" }]);
  expect(said("good bye")).toMatchObject([{ ruleId: "greet", outcome: "no" }]);
});

it("reports a mistake with file, line and column instead of skipping the rule", () => {
  const broken = GREET.replace("contains_word", "contains_wurd");

  expect(() => compileRules([{ text: GREET }, { path: "faq.yaml", text: broken }])).toThrow(
    /faq\.yaml:6:\d+: error: .*contains_wurd/,
  );
});
