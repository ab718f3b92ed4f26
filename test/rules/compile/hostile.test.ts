import { describe, expect, it } from "vitest";
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
    expect([...codes].sort()).toEqual(["regex-lookaround", "regex-syntax", "regex-too-long"]);
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
