import { describe, expect, it } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";

const ASK = "ask: { text: Which?, within: 1h, expect: { in: [a, b] }";

const warningsOf = (rules: string) =>
  compile([{ path: "rules.yaml", text: `version: 1\nrules:\n${rules}` }]).problems.map(
    ({ line, code, message }) => `${line} ${code}: ${message}`,
  );

const inRule = (steps: string, beside = "") =>
  warningsOf(`  - id: form\n    triggers: [dm.received]\n    ${beside}\n    actions:\n${steps}`);

describe("a question that ends with the first wrong answer", () => {
  it("is reported: the run fails, and the person gets no answer", () => {
    expect(inRule(`      - ${ASK} }`)).toEqual([
      "7 unheard-answer: one invalid answer ends the run, and the person gets no reply",
    ]);
  });

  it.each([
    ["asks again", `      - ${ASK}, retries: 1 }`, ""],
    ["has steps for it", `      - ${ASK}, on_invalid: [{ reply_dm: No. }] }`, ""],
    ["ends on purpose", `      - ${ASK}, on_invalid: [stop] }`, ""],
    ["goes on", `      - ${ASK} }\n        continue_on_error: true`, ""],
    ["has steps for its error", `      - ${ASK} }\n        on_error: [{ reply_dm: No. }]`, ""],
    ["stands in a rule with such steps", `      - ${ASK} }`, "on_error: [{ reply_dm: No. }]"],
    [
      "stands in a branch of a step with such steps",
      `      - parallel:\n          a: [{ ${ASK} } }]\n          b: [{ log: b }]\n        on_error: [{ reply_dm: No. }]`,
      "",
    ],
    [
      "stands in a block of a step with such steps",
      `      - if: sender.is_new\n        then: [{ ${ASK} } }]\n        on_error: [{ reply_dm: No. }]`,
      "",
    ],
    ["takes any answer", "      - ask: { text: Which?, within: 1h }", ""],
  ])("is accepted if it %s", (_why, steps, beside) => {
    expect(inRule(steps, beside)).toEqual([]);
  });

  it("is reported among the steps for an error, whose failure the step with them does not handle", () => {
    const steps = `      - reply_dm: Hi.\n        on_error: [{ ${ASK} } }]`;

    expect(inRule(steps)).toHaveLength(1);
  });

  it("is checked together with the rule that runs it", () => {
    const form = `  - id: form\n    actions: [{ ${ASK} } }]\n`;
    const calling = (beside: string) =>
      warningsOf(
        `${form}  - id: start\n    triggers: [dm.received]\n    actions:\n      - run: form\n${beside}`,
      );

    expect(calling("        on_error: [{ reply_dm: No. }]\n")).toEqual([]);
    expect(calling("    on_error: [{ reply_dm: No. }]\n")).toEqual([]);
    expect(calling("")).toEqual([
      '4 unheard-answer: one invalid answer ends the run, and the person gets no reply, where rule "start" (rules.yaml:8) runs it',
    ]);
  });
});
