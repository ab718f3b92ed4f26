import { describe, expect, it, test } from "vitest";
import { compile } from "../../../../src/rules/compile/compile.ts";
import { keyOf, type StateUse } from "../../../../src/rules/schema/state-keys.ts";
import { messageReceived } from "../../../support/events.ts";
import { rulesetOf } from "../../support/compiling.ts";
import { actionsOf, done, endOf, play } from "../../support/playing.ts";

const EVENT = messageReceived({ text: "hi" });

function file(steps: string, rest = "", path = "a.yaml", id = "a") {
  const text = `version: 1
${rest}rules:
  - id: ${id}
    triggers: [dm.received]
    actions:
${steps}`;
  return { path, text };
}

const withoutVersion = (text: string) => text.replace("version: 1\n", "");

const problemsOf = (...files: { path: string; text: string }[]) =>
  compile(files).problems.map(
    ({ file: at, line, severity, code, help }) => `${at}:${line} ${severity} ${code}: ${help}`,
  );

describe("state that is stored as one type and read as another", () => {
  test.each([
    ['      - set: { state.sender.n: "${{ message.text }}" }', "number"],
    ['      - set: { state.sender.n: "12" }', "number"],
    ['      - set: { state.sender.n: "${{ message.hashtags }}" }', "number"],
    ["      - set: { state.sender.n: true }", "number"],
  ])("%s is not %s", (set) => {
    const read = "\n      - log: ${{ state.sender.n.orValue(0) + 1 }}";
    const [first = "", second] = problemsOf(file(set + read));
    expect(first).toMatch(/^a.yaml:7 error state-type: /);
    expect(second).toBeUndefined();
  });

  it("is reported with the form that stores the right type", () => {
    const problemsWith = (set: string) =>
      problemsOf(
        file(`      - set: ${set}\n      - log: \${{ state.sender.n.orValue(0) + 1 }}`),
      )[0];
    expect(problemsWith('{ state.sender.n: "${{ message.text }}" }')).toContain(
      'set: {state.sender.n: "${{ number(message.text) }}"}',
    );
    expect(problemsWith('{ state.sender.n: "12" }')).toContain("set: {state.sender.n: 12}");
  });

  it("is reported across files, and in conditions", () => {
    const keeps = file("      - set: { state.account.best: 3 }", "", "keeps.yaml", "k");
    const reads = {
      path: "reads.yaml",
      text: `version: 1
rules:
  - id: r
    triggers: [dm.received]
    conditions:
      - state.account.best: { contains: ann }
      - if: has(state.account.best) && state.account.best.startsWith("a")
    actions: [{ log: x }]`,
    };
    expect(problemsOf(keeps, reads).map((one) => one.split(":").slice(0, 2).join(":"))).toEqual([
      "reads.yaml:6 error state-type",
      "reads.yaml:7 error state-type",
    ]);
  });

  it("is a warning if some rules store the right type", () => {
    const steps = `      - set: { state.sender.n: 1 }
      - set: { state.sender.n: "none" }
      - log: \${{ state.sender.n.orValue(0) + 1 }}`;
    expect(problemsOf(file(steps))[0]).toMatch(/^a.yaml:8 warning state-type/);
  });

  test.each([
    "      - set: { state.sender.n: 1 }\n      - set: { state.sender.n: null }",
    '      - set: { state.sender.n: "${{ state.sender.n.orValue(0) + 1.5 }}" }',
    '      - call: ./a.ts#f\n        id: f\n      - set: { state.sender.n: "${{ steps.f.result }}" }',
    '      - if: "true"\n        then: [{ set: { state.sender.n: "${{ size(message.hashtags) }}" } }]',
  ])("%s is a number", (set) => {
    const read = "\n      - log: ${{ state.sender.n.orValue(0) + 1 }}";
    expect(problemsOf(file(set + read)).filter((one) => one.includes("state-type"))).toEqual([]);
  });

  it("is not reported if a condition only tests whether it is present", () => {
    const text = `version: 1
rules:
  - id: r
    triggers: [dm.received]
    conditions: [{ state.sender.n: { exists: true } }]
    actions: [{ set: { state.sender.n: 3 } }]`;
    expect(problemsOf({ path: "a.yaml", text })).toEqual([]);
  });
});

describe("state that a file declares", () => {
  const STATE = "state: { sender.score: 0, account.motto: none, state.account.tags: [a, b] }\n";

  function said(reply: string, stored: Record<string, string | number> = {}) {
    const steps = play(
      EVENT,
      rulesetOf(withoutVersion(file(`      - reply_dm: ${JSON.stringify(reply)}`, STATE).text)),
      done,
      {
        read: (key) => {
          const match = Object.entries(stored).find(([path]) => {
            const [, of = "sender", name = ""] = path.split(".");
            const use = { kind: "value", of, name } as StateUse;
            return keyOf(use, EVENT) === key;
          });
          return match?.[1];
        },
      },
    );
    const [action] = actionsOf(steps);
    return action?.type === "reply_dm" ? action.text : endOf(steps);
  }

  it("has its default until a value is stored, and needs no orValue", () => {
    const reply =
      "${{ state.sender.score + 1 }} ${{ state.account.motto }} ${{ state.account.tags }}";
    expect(said(reply)).toBe("1 none a, b");
    expect(said(reply, { "state.sender.score": 4, "state.account.motto": "go" })).toBe("5 go a, b");
  });

  it("has the type of its default, whatever number is stored", () => {
    const rate =
      "rules: [{ id: a, triggers: [dm.received], actions: [{ reply_dm: RATE }] }]".replace(
        "RATE",
        JSON.stringify("${{ state.sender.rate / 2 }}"),
      );
    const ruleset = rulesetOf(`state: { sender.rate: 2.5 }\n${rate}`);
    const steps = play(EVENT, ruleset, done, { read: () => 3 });

    expect(actionsOf(steps)).toMatchObject([{ text: "1.5" }]);
    expect(said("${{ state.sender.score / 2 }}", { "state.sender.score": 3 })).toBe("1");
    expect(
      said("${{ state.sender.score - 1 }}", { "state.sender.score": "9007199254740993" }),
    ).toBe("9007199254740992");
  });

  test.each([
    ["${{ state.sender.score + 'x' }}", "operand-types"],
    ["${{ state.account.motto + 1 }}", "operand-types"],
    ['${{ state.sender.score.orValue("") }}', "expr-syntax"],
    ["${{ state.sender.other + 1 }}", "may-be-absent"],
  ])("%s is %s", (reply, code) => {
    const steps = `      - log: ${JSON.stringify(reply)}`;
    expect(problemsOf(file(steps, STATE))[0]).toContain(` error ${code}`);
  });

  it("is stored with the declared type; anything else is reported", () => {
    const keeps = (value: string) =>
      problemsOf(file(`      - set: { state.sender.score: ${value} }`, STATE));
    expect(keeps("3")).toEqual([]);
    expect(keeps("null")).toEqual([]);
    expect(keeps('"${{ message.text }}"')[0]).toMatch(
      /^a.yaml:7 error state-type: write {2}"\$\{\{ number\(message.text\) \}\}"/,
    );
  });

  it("works in conditions, too", () => {
    const text = `version: 1
state: { sender.score: 0 }
rules:
  - id: r
    triggers: [dm.received]
    conditions: [{ state.sender.score: { lt: 3 } }]
    actions: [{ reply_dm: low }]`;
    expect(problemsOf({ path: "a.yaml", text })).toEqual([]);
    expect(actionsOf(play(EVENT, rulesetOf(withoutVersion(text))))).toMatchObject([
      { text: "low" },
    ]);
  });

  test.each([
    ["state: { score: 0 }\n", "unknown-field"],
    ["state: { sender: 0 }\n", "unknown-field"],
    ["state: { person.score: 0 }\n", "unknown-field"],
    ["state: { sender.score: { a: 1 } }\n", "wrong-type"],
    ["state: [sender.score]\n", "wrong-type"],
  ])("%s is %s", (state, code) => {
    expect(problemsOf(file("      - log: x", state))[0]).toContain(` error ${code}`);
  });

  it("changes the revision of the rules that read it", () => {
    const revision = (value: number) =>
      compile([
        file("      - log: ${{ state.sender.score }}", `state: { sender.score: ${value} }\n`),
      ]).ruleset.revision;
    expect(revision(0)).not.toBe(revision(1));
  });
});
