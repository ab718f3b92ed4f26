import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide } from "../../../src/rules/decide/decide.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf, ruleWith } from "../support/compiling.ts";

/** Returns the problems of one rule on direct messages with the given lines. */
function problemsOf(...lines: string[]) {
  const text = [
    "version: 1",
    "rules:",
    "  - id: a",
    "    triggers: [dm.received]",
    ...lines,
    "    actions: [{reply_dm: hi}]",
    "",
  ].join("\n");
  return compile([{ path: "a.yaml", text }]);
}

describe("an empty condition", () => {
  test.each([
    { condition: "message.text: {}", column: 23, why: "a field without an operator" },
    { condition: "message.text: {cased: true}", column: 23, why: "a way of asking is no question" },
    { condition: "sender.verified: {}", column: 26, why: "whatever the field's type" },
    { condition: "any: []", column: 14, why: "none of nothing" },
    { condition: "all: []", column: 14, why: "all of nothing" },
    { condition: "not: []", column: 14, why: "not nothing" },
    { condition: "not: {}", column: 14, why: "as a map, too" },
    { condition: "not: {message.text: {}}", column: 29, why: "inside another" },
    { condition: "any: [{message.text: hi}, {all: []}]", column: 41, why: "beside one that asks" },
  ])("$condition is refused: $why", ({ condition, column }) => {
    const { ruleset, problems } = problemsOf("    conditions:", `      - ${condition}`);

    expect(problems).toMatchObject([
      { code: "empty-condition", severity: "error", line: 6, help: expect.stringMatching(/\{/) },
    ]);
    expect(problems[0]?.column).toBe(column);
    expect(ruleset.rules).toEqual([]);
  });

  it("is refused in a trigger's match", () => {
    const text = `version: 1
rules:
  - {id: a, triggers: [{trigger: dm.received, match: {}}], actions: [{reply_dm: hi}]}
`;
    expect(compile([{ path: "a.yaml", text }]).problems).toMatchObject([
      { code: "empty-condition", line: 3, column: 47 },
    ]);
  });

  it("includes an invisible text", () => {
    const { problems } = problemsOf("    conditions:", '      - text: {contains: "\\u200b"}');

    expect(problems).toMatchObject([{ code: "empty-operand", line: 6 }]);
  });
});

describe("not", () => {
  const events = [
    messageReceived({ text: "a b" }),
    messageReceived({ text: "a" }),
    messageReceived({ text: "b" }),
    messageReceived({ text: "c" }),
  ];
  const list = "[{message.text: {contains: a}}, {message.text: {contains: b}}]";

  test.each([
    { condition: `not: ${list}`, held: [false, false, false, true], warned: ["not-list"] },
    { condition: `not: {any: ${list}}`, held: [false, false, false, true], warned: [] },
    { condition: `not: {all: ${list}}`, held: [false, true, true, true], warned: [] },
    { condition: "not: [{message.text: a}]", held: [true, false, true, true], warned: [] },
  ])("$condition is true for these of four texts: $held", ({ condition, held, warned }) => {
    const { ruleset, problems } = problemsOf("    conditions:", `      - ${condition}`);

    expect(problems.map(({ code }) => code)).toEqual(warned);
    expect(problems.every(({ severity }) => severity === "warning")).toBe(true);
    expect(events.map((event) => decide(event, ruleset, { now: 0 }).runs.length > 0)).toEqual(held);
  });
});

describe("the form that check suggests", () => {
  test.each([
    { tried: 'message.text: ""', held: [""], not: ["hi"] },
    { tried: "message.text: {not_contains: spam}", held: ["hi"], not: ["my spam"] },
    { tried: "message.text: {doesNotStartWith: spam}", held: ["hi"], not: ["Spam, ham"] },
    { tried: "message.text: {is_not: [a, b]}", held: ["c"], not: ["a", "B"] },
    { tried: "message.text: {not: {contains_word: spam}}", held: ["spammer"], not: ["spam"] },
    { tried: "message.text: [yes, no]", held: ["No"], not: ["maybe"] },
    { tried: "message.text: yes|no", held: ["No"], not: ["maybe", "yes|no"] },
    { tried: "message.text: {contains_word: hel*}", held: ["oh help"], not: ["shell"] },
    { tried: "message.text: {contains_word: '*lo'}", held: ["oh hello"], not: ["lost"] },
    { tried: "message.text: {equals: '*x*'}", held: ["axe"], not: ["a"] },
    { tried: "message.text: {contains: ^hi}", held: ["Hi all"], not: ["oh hi"] },
    { tried: "message.text: {contains: bye$}", held: ["good bye"], not: ["bye all"] },
    { tried: "message.text: {contains: '\\d+ items'}", held: ["12 items"], not: ["items"] },
    { tried: "if: message.text in ['hi', 'ho']", held: ["HI"], not: ["hit"] },
    { tried: "if: message.text != 'hi'", held: ["hit"], not: ["Hi"] },
  ])("is correct for $tried, and check reports nothing", ({ tried, held, not }) => {
    const before = problemsOf("    conditions:", `      - ${tried}`);
    const help = before.problems[0]?.help ?? "";
    const form = help.replace(/^.*?write +(?:- )?/, "");
    const written = tried.startsWith("if:") ? `if: ${form}` : form;
    const { ruleset, problems } = problemsOf("    conditions:", `      - ${written}`);
    const holds = (text: string) =>
      decide(messageReceived({ text }), ruleset, { now: 0 }).runs.length > 0;

    expect(problems).toEqual([]);
    expect(held.map(holds)).not.toContain(false);
    expect(not.map(holds)).not.toContain(true);
  });
});

describe("a handle in a condition", () => {
  test.each([
    "sender.username: '@Ana'",
    "sender.username: {in: ['@ana']}",
    "sender.username: {in_list: staff}",
    "message.mentions: {contains: '@bot'}",
  ])("may begin with @: %s", (condition) => {
    const text = `version: 1
lists: {staff: {match: exact, entries: ['@ana']}}
rules:
  - {id: a, triggers: [dm.received], conditions: [{${condition}}], actions: [{reply_dm: hi}]}
`;
    const { ruleset, problems } = compile([{ path: "a.yaml", text }]);
    const event = messageReceived({ mentions: [{ id: "100", username: "bot" }] });

    expect(problems).toEqual([]);
    expect(decide(event, ruleset, { now: 0 }).runs).toHaveLength(1);
  });
});

describe("a fallback", () => {
  it("without a group is refused: it would always run", () => {
    const { problems } = problemsOf("    group: none", "    fallback: true");

    expect(problems).toMatchObject([
      {
        code: "fallback-without-group",
        line: 6,
        severity: "error",
        help: expect.stringMatching(/group: none/),
      },
    ]);
  });

  it("alone in its file is reported", () => {
    const { problems, ruleset } = problemsOf("    fallback: true");

    expect(problems).toMatchObject([{ code: "fallback-alone", line: 5, severity: "warning" }]);
    expect(ruleset.rules).toHaveLength(1);
  });

  it("belongs to the group of its file even if it sends no answer", () => {
    const { byId } = rulesetOf(`rules:
  - {id: a, triggers: [dm.received], actions: [{reply_dm: hi}]}
  - {id: b, fallback: true, triggers: [dm.received], actions: [{log: nothing fitted}]}`);

    expect(byId.get("b")?.group).toBe("a.yaml");
  });
});

describe("the description of a condition", () => {
  it("is data with the operands folded", () => {
    const [rule] = ruleWith(`
      [{any: [{message.text: {contains_word: [Refund, Money  Back]}}, {text: {contains: ＡB, cased: true}}]},
       {not: {sender.followers_count: {gt: 5, lte: 9}}}, {if: sender.verified}]`).rules;

    expect(rule?.conditions.map(({ asks }) => asks)).toMatchObject([
      {
        kind: "any",
        of: [
          {
            kind: "field",
            field: "message.text",
            type: "text",
            tests: [
              { operator: "contains_word", cased: false, operands: ["refund", "money back"] },
            ],
          },
          { field: "text", tests: [{ operator: "contains", cased: true, operands: ["ＡB"] }] },
        ],
      },
      {
        kind: "not",
        of: {
          field: "sender.followers_count",
          tests: [
            { operator: "gt", operands: [5] },
            { operator: "lte", operands: [9] },
          ],
        },
      },
      { kind: "expression", source: "sender.verified", ast: { op: "." } },
    ]);
  });
});
