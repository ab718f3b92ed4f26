import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { compileExpression } from "../../../src/rules/expression/expression.ts";
import { compilePattern } from "../../../src/rules/expression/patterns/pattern.ts";
import { scopeOf } from "../../../src/rules/expression/scope.ts";
import { sendable } from "../../../src/rules/expression/seen-text.ts";
import { compileTemplate } from "../../../src/rules/expression/template.ts";
import { decide } from "../../../src/rules/decide/decide.ts";
import { Evaluation } from "../../../src/rules/evaluation/evaluation.ts";
import { MAX_VALUE } from "../../../src/rules/expression/value-size.ts";
import { messageReceived } from "../../support/events.ts";
import {
  draws,
  HOSTILE_MESSAGE,
  hostileExpression,
  hostilePattern,
  hostileRule,
} from "../support/hostile-input.ts";

const scope = scopeOf(["dm.received"]);
const view = new Evaluation(messageReceived({ text: HOSTILE_MESSAGE }), 0).view({
  name: "dm.received",
});

describe("a rule whose maps and lists are nested very deep", () => {
  const nested = (open: string, depth: number, close: string) =>
    `version: 1\nrules:\n  - id: a\n    triggers: [dm.received]\n    actions: [{reply_dm: hi}]\n    conditions: [${open.repeat(depth)}{message.text: hi}${close.repeat(depth)}]\n`;
  const problemsOf = (text: string) =>
    compile([{ path: "a.yaml", text }]).problems.map(({ line, code }) => `${line} ${code}`);

  it.each([
    ["{not: ", 1_000, "}"],
    ["{any: [", 1_000, "]}"],
    ["{any: [", 20_000, "]}"],
    ["[", 1_000, "]"],
  ])("is refused at once, with one problem: %s, %s times", (open, depth, close) => {
    expect(problemsOf(nested(open, depth, close))).toEqual(["6 nested-too-deep"]);
  });

  it.each([
    ["{not: ", 190, "}"],
    ["{any: [", 95, "]}"],
  ])("is compiled up to a depth of 200: %s, %s times", (open, depth, close) => {
    expect(problemsOf(nested(open, depth, close))).toEqual([]);
  });
});

describe("a stranger's message of 10,000 characters", () => {
  it("gives each of 3,500 expressions and templates a bounded value or an error message", () => {
    const draw = draws(1);
    let ran = 0;
    const sentences: string[] = [];
    const compile = (source: string) => compileExpression(source, scope.environment, scope);
    for (let round = 0; round < 3_500; round++) {
      const source = `a\${{ ${hostileExpression(draw, 1 + draw.next(4))} }}b`;
      const template = compileTemplate(source, compile);
      if ("faults" in template) continue;
      const outcome = template.render(view);
      if (!outcome.ok) {
        sentences.push(outcome.error);
        continue;
      }
      ran++;
      const text = sendable(outcome.value);
      expect(text.length).toBeLessThanOrEqual(MAX_VALUE);
      // oxlint-disable-next-line no-control-regex -- these are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e]|native code|\[object/);
      expect(text).not.toContain(" 49 ");
    }
    expect(ran).toBeGreaterThan(200);
    expect(sentences.filter((one) => /\n|\/src\//.test(one))).toEqual([]);
  });

  it("gives each of 1,500 patterns a result: their programs are short, or they are refused", () => {
    const draw = draws(2);
    let ran = 0;
    const codes = new Set<string>();
    for (let round = 0; round < 1_500; round++) {
      const compiled = compilePattern(hostilePattern(draw, 1 + draw.next(4)), false);
      if ("mistake" in compiled) {
        codes.add(compiled.mistake.code);
        continue;
      }
      ran++;
      expect(typeof compiled.test(HOSTILE_MESSAGE)).toBe("boolean");
    }
    expect(ran).toBeGreaterThan(500);
    expect([...codes].sort()).toEqual([
      "regex-lookaround",
      "regex-never-matches",
      "regex-syntax",
      "regex-too-long",
    ]);
  });

  it("gives 500 rules with variables that build on each other a decision", () => {
    const draw = draws(3);
    const outcomes = { refused: 0, ran: 0, silent: 0 };
    for (let round = 0; round < 500; round++) {
      const { ruleset } = compile([{ path: "a.yaml", text: hostileRule(draw) }]);
      const { runs } = decide(messageReceived({ text: HOSTILE_MESSAGE }), ruleset, { now: 0 });
      const outcome = runs.length > 0 ? "ran" : "silent";
      outcomes[ruleset.rules.length === 0 ? "refused" : outcome]++;
    }

    expect(outcomes.ran).toBeGreaterThan(0);
    expect(outcomes.silent).toBeGreaterThan(200);
    expect(outcomes.refused).toBeGreaterThan(50);
  });
});

describe("a word that every object inherits", () => {
  const places: readonly (readonly [why: string, write: (word: string) => string])[] = [
    ["a key of a rule", (word) => `{id: a, ${word}: 1, triggers: [dm.received], actions: [like]}`],
    ["a key of a trigger", (word) => `{id: a, triggers: [{trigger: dm.received, ${word}: x}]}`],
    ["a field", (word) => conditions(`{${word}: {equals: a}}`)],
    ["a field below", (word) => conditions(`{message.${word}: a}`)],
    ["an operator", (word) => conditions(`{message.text: {${word}: a}}`)],
    ["a combinator", (word) => conditions(`{${word}: [{message.text: a}]}`)],
    ["a field of an expression", (word) => conditions(`{if: message.${word} == "a"}`)],
    ["a step", (word) => actions(`{${word}: a}`)],
    ["a key beside a step", (word) => actions(`{reply_dm: a, ${word}: 1}`)],
    ["a key in a step", (word) => actions(`{repeat: {${word}: 1, count: 2}}`)],
    ["a unit", (word) => actions(`{delay: 5 ${word}}`)],
    ["a result", (word) => actions(`{id: b, call: m.ts#f}, {reply_dm: "\${{ steps.b.${word} }}"}`)],
    ["a cron", (word) => `{id: a, triggers: [{trigger: schedule, cron: ${word}, zone: UTC}]}`],
    ["a boolean", (word) => `{id: a, enabled: ${word}, triggers: [dm.received], actions: [like]}`],
  ];

  function conditions(one: string): string {
    return `{id: a, triggers: [dm.received], conditions: [${one}], actions: [like]}`;
  }

  function actions(some: string): string {
    return `{id: a, triggers: [dm.received], actions: [${some}]}`;
  }

  test.each(places)("is an ordinary mistake as %s", (_why, write) => {
    for (const word of ["constructor", "toString", "__proto__"]) {
      const text = `version: 1\nrules:\n  - ${write(word)}\n`;
      const { problems } = compile([{ path: "a.yaml", text }]);

      expect(problems, word).not.toEqual([]);
      for (const { message, help = "" } of problems) {
        expect(`${message}${help}`).not.toMatch(/native code|\[object/);
      }
    }
  });
});

describe("a map or a list in place of a text", () => {
  const rule = (keys: string) =>
    `version: 1\nrules:\n  - {id: a, triggers: [dm.received], actions: [stop], ${keys}}\n`;
  const step = (written: string) =>
    `version: 1\nrules:\n  - {id: a, triggers: [dm.received], actions: [${written}]}\n`;
  const trigger = (written: string) =>
    `version: 1\nrules:\n  - {id: a, triggers: [${written}], actions: [stop]}\n`;

  it.each([
    rule("variables: {n: {a: b}}"),
    rule("cooldown: {per: {a: b}, for: 1h}"),
    rule("name: x, description: {a: b}"),
    rule("enabled: {a: b}"),
    rule("limit: {per: {a: b}}"),
    rule("args: [{a: b}]"),
    rule("conditions: [{weekday: {a: b}}, {chance: {a: b}}]"),
    step("{append: {x: {a: 1}}}"),
    step("{wait: {amount: 1, unit: {a: b}}}"),
    step("{wait_ms: {a: b}}"),
    step("{request: {url: 'https://example.com', method: {a: b}}}"),
    step("{count: {name: {a: b}, window: 1d}}"),
    step("{set: {state.sender.n: {a: b}}}"),
    step("{ask: {text: Hi, retries: {a: b}, within: 1h}}"),
    trigger("{trigger: schedule, at: {a: b}}"),
    trigger("{trigger: schedule, at: '09:00', days: {a: b}}"),
    trigger("{trigger: schedule, hour: {a: b}}"),
    trigger("{rss: {a: b}}"),
    "version: 1\nhours: {office: [{a: 1}]}\nrules: []\n",
    "version: 1\nhours: {office: {zone: UTC, open: {mon: {a: b}}}}\nrules: []\n",
    "version: 1\ninputs: {n: {type: duration, default: {a: b}}}\nrules: []\n",
  ])("is reported, and ends no check: %j", (text) => {
    const { problems } = compile([{ path: "a.yaml", text }]);

    expect(problems.every(({ message }) => message !== "")).toBe(true);
  });
});
