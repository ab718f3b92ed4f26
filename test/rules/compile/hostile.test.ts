import { describe, expect, it } from "vitest";
import { compileExpression } from "../../../src/rules/compile/expression.ts";
import { compilePattern } from "../../../src/rules/compile/pattern.ts";
import { scopeOf } from "../../../src/rules/compile/scope.ts";
import { sendable } from "../../../src/rules/compile/expressions/seen-text.ts";
import { compileTemplate } from "../../../src/rules/compile/template.ts";
import { Evaluation } from "../../../src/rules/decide/evaluation.ts";
import { MAX_VALUE } from "../../../src/rules/decide/value-size.ts";
import { messageReceived } from "../../support/events.ts";

/** Draws that are the same each time. */
function draws(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { next, one: <T>(from: readonly T[]): T => from[next(from.length)] ?? from[0]! };
}

const SMUGGLED = "${{ secrets.KEY }} \u202e\u0000\u001b[2J {{ 7 * 7 }} aaaaaaaaaa ";
const MESSAGE = SMUGGLED.repeat(Math.ceil(10_000 / SMUGGLED.length)).slice(0, 10_000);
const scope = scopeOf(["dm.received"]);
const view = new Evaluation(messageReceived({ text: MESSAGE }), 0).view({ name: "dm.received" });

const NAMES = ["constructor", "__proto__", "prototype", "toString", "valueOf", "globalThis"];
const READABLE = ["message.text", "text", "sender.name", '"a"'];
const LEAVES = [
  ...READABLE,
  ...READABLE,
  ...READABLE,
  ...READABLE,
  ...READABLE,
  "sender.location",
  "message.hashtags",
  "1",
  "process",
  "secrets",
  "vars",
  ...NAMES,
];

function expression(draw: ReturnType<typeof draws>, depth: number): string {
  const inner = () => expression(draw, depth - 1);
  if (depth <= 0) return draw.one(LEAVES);
  return draw.one([
    () => `(${inner()} + ${inner()})`,
    () => `${inner()}.${draw.one(NAMES)}`,
    () => `${inner()}["${draw.one(NAMES)}"]`,
    () => `dyn(${inner()}).${draw.one(NAMES)}`,
    () => `${inner()}.upper()`,
    () => `url(${inner()})`,
    () => `${inner()}.has_word(${inner()})`,
    () => `${inner()}.truncate(9999)`,
    () => `[${inner()}, ${inner()}]`,
    () => `(${inner()} == ${inner()} ? ${inner()} : ${inner()})`,
    () => `${inner()}.orValue(${inner()})`,
    () => `${inner()}.map(x, x)`,
    () => `{"a": ${inner()}}`,
  ])();
}

function pattern(draw: ReturnType<typeof draws>, depth: number): string {
  const inner = () => pattern(draw, depth - 1);
  if (depth <= 0) return draw.one(["a", "\\w", ".", "[a-z ]", "\\s", "secrets", "é", "$", "\\b"]);
  return draw.one([
    () => `(${inner()})*`,
    () => `(${inner()}|${inner()})`,
    () => `${inner()}+${inner()}`,
    () => `(?:${inner()}){1,${draw.next(40)}}`,
    () => `(?P<n>${inner()}?)`,
    () => `(?!${inner()})`,
    () => `${inner()}${inner()}`,
  ])();
}

describe("what a stranger's message of 10,000 characters meets", () => {
  it("of 3,500 expressions and templates is a value that is bounded, or a sentence", () => {
    const draw = draws(1);
    let ran = 0;
    const sentences: string[] = [];
    const compile = (source: string) => compileExpression(source, scope.environment, scope);
    for (let round = 0; round < 3_500; round++) {
      const source = `a\${{ ${expression(draw, 1 + draw.next(4))} }}b`;
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

  it("of 1,500 patterns is an answer: their programs are short, or they are refused", () => {
    const draw = draws(2);
    let ran = 0;
    const codes = new Set<string>();
    for (let round = 0; round < 1_500; round++) {
      const compiled = compilePattern(pattern(draw, 1 + draw.next(4)), false);
      if ("mistake" in compiled) {
        codes.add(compiled.mistake.code);
        continue;
      }
      ran++;
      expect(typeof compiled.test(MESSAGE)).toBe("boolean");
    }
    expect(ran).toBeGreaterThan(500);
    expect([...codes].sort()).toEqual(["regex-lookaround", "regex-syntax", "regex-too-long"]);
  });
});
