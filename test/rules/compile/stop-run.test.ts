import { describe, expect, it } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";

const problemsOf = (steps: string, above = "") => {
  const text = `version: 1
rules:
  - id: form
    triggers: [dm.received]
    conditions: [{ message.text: order }]
    actions:
      - ask: { text: Your name?, within: 1h }
  - id: keyed
    triggers: [dm.received]
    conditions: [{ message.text: { matches: '^at (?P<time>\\w+)$' } }]
    mode: parallel
    key: \${{ captures.time }}
    actions: [{ delay: 1h }, { reply_dm: Now. }]
  - id: no-wait
    triggers: [dm.received]
    conditions: [{ message.text: hello }]
    actions: [{ reply_dm: Hello. }]
  - id: cancel
    triggers: [dm.received]
    ${above}
    conditions: [{ message.text: cancel }]
    actions:
      - ${steps}
      - reply_dm: Cancelled.
`;
  return compile([{ path: "rules.yaml", text }]).problems.map(
    ({ line, severity, code, message, help }) => ({ line, severity, code, message, help }),
  );
};

describe("the step that ends runs of a rule", () => {
  it("is accepted for a rule that waits", () => {
    expect(problemsOf("stop_run: form", "interrupts: true")).toEqual([]);
    expect(problemsOf("stop_run: { rule: keyed, key: noon }")).toEqual([]);
    expect(problemsOf('stop_run: { rule: keyed, key: "${{ message.text }}" }')).toEqual([]);
  });

  it("must name an existing rule", () => {
    expect(problemsOf("stop_run: from", "interrupts: true")).toEqual([
      {
        line: 23,
        severity: "error",
        code: "unknown-rule",
        message: 'there is no rule "from" with triggers',
        help: 'did you mean "form"?',
      },
    ]);
  });

  it("may name a rule with errors, which are reported already", () => {
    const text = `version: 1
rules:
  - id: form
    triggers: [dm.received]
    actions: [{ ask: { text: Your name?, within: soon } }]
  - id: cancel
    triggers: [dm.received]
    actions: [{ stop_run: form }]
`;
    const { problems } = compile([{ path: "rules.yaml", text }]);

    expect(problems.map(({ line }) => line)).toEqual([5]);
  });

  it("must name the run if the rule's runs have a key, and only then", () => {
    expect(problemsOf("stop_run: keyed")).toMatchObject([
      {
        line: 23,
        code: "stop-run-key",
        message:
          'runs of rule "keyed" have the key ${{ captures.time }}, but this step names no key',
        help: 'write  stop_run: {rule: keyed, key: "${{ … }}"}',
      },
    ]);
    expect(problemsOf("stop_run: { rule: form, key: x }", "interrupts: true")).toMatchObject([
      { code: "stop-run-key", help: "remove  key:  here, or give that rule a  mode:  and a  key:" },
    ]);
  });

  it("is unreachable if the question takes the person's text first", () => {
    expect(problemsOf("stop_run: form")).toMatchObject([
      {
        severity: "warning",
        code: "stop-run-unheard",
        message:
          'while rule "form" waits for an answer, it receives the events that would start this rule',
        help: "add  interrupts: true  to this rule",
      },
    ]);
  });

  it("is reported if the rule never waits", () => {
    expect(problemsOf("stop_run: no-wait")).toMatchObject([
      {
        severity: "warning",
        code: "stop-run-never",
        help: "name a rule that asks, waits or delays",
      },
    ]);
  });
});
