import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import type { FieldType, FieldValue } from "../../../src/events/fields.ts";
import { compileMatcher, type Names } from "../../../src/rules/compile/matcher.ts";
import { Evaluation } from "../../../src/rules/evaluation/evaluation.ts";
import { fold } from "../../../src/text/fold.ts";
import { USUAL } from "../../../src/rules/lists/list-form.ts";
import { makeList } from "../../../src/rules/lists/rule-list.ts";
import { OPERATORS } from "../../../src/rules/operators/operators.ts";
import { reservedWord } from "../../../src/rules/schema/reserved-words.ts";
import { messageReceived } from "../../support/events.ts";

const NOW = 1_000_000;
const evaluation = new Evaluation(messageReceived(), NOW);

/** Lists and hours that operators refer to by name. */
const NAMES: Names = {
  hours: () => ({
    zone: "UTC",
    open: [{ days: new Set([3]), from: 0, to: 60 }],
    closed: [],
  }),
  list: () => makeList({ entries: ["Ann", "two words"], match: "word", normalize: USUAL }),
};

/** Returns whether a field of `type` with `value` passes `condition`. */
function passes(type: FieldType, value: FieldValue, condition: Record<string, unknown>): boolean {
  const { tests, faults } = compileMatcher(type, condition, NAMES);
  expect(faults).toEqual([]);
  return tests.every(({ test }) => test(value, evaluation));
}

const codesOf = (faults: ReturnType<typeof compileMatcher>["faults"]) =>
  faults.map((fault) => ("mistake" in fault ? fault.mistake.code : "elsewhere"));

interface Row {
  readonly operator: string;
  readonly operand: unknown;
  readonly type: FieldType;
  readonly value: FieldValue;
  readonly holds: boolean;
  readonly why: string;
}
const row = (
  operator: string,
  operand: unknown,
  [type, value, holds]: [FieldType, FieldValue, boolean],
  why: string,
): Row => ({ operator, operand, type, value, holds, why });

const ROWS: readonly Row[] = [
  row("equals", "Hi", ["text", "ｈＩ", true], "case and compatibility forms don't count"),
  row("equals", "hi", ["text", "hi!", false], "the whole text"),
  row("equals", 3, ["number", 3, true], "a number"),
  row("equals", false, ["boolean", false, true], "false is a value"),
  row("equals", false, ["boolean", undefined, false], "absent is not false"),
  row("in", ["a", "B"], ["text", "b", true], "one of them"),
  row("in", [1, 2], ["number", 3, false], "none of them"),
  row("in_list", "people", ["text", "I'm ANN.", true], "an entry stands in it as the list says"),
  row("in_list", "people", ["text", "Anna", false], "no entry does"),
  row("within", "office", ["time", 59 * 60_000, true], "a Thursday, before one"),
  row("within", "office", ["time", 60 * 60_000, false], "the end is outside"),
  row("contains", "b", ["text", "aBc", true], "anywhere"),
  row("contains", ["x", "c"], ["text", "abc", true], "a list means any of it"),
  row("contains", "ab", ["list of texts", ["abc"], false], "a list has members, not parts of them"),
  row("contains", "ab", ["list of texts", ["AB"], true], "a member, in any case"),
  row("contains_word", "cat", ["text", "The cat.", true], "a whole word"),
  row("contains_word", "cat", ["text", "concatenate", false], "part of one"),
  row("contains_word", ["x", "two words"], ["text", "has two words in it", true], "several words"),
  row("contains_any", ["x", "b"], ["text", "abc", true], "one is enough"),
  row("contains_any", ["x", "y"], ["list of texts", ["a"], false], "none is there"),
  row("contains_all", ["a", "b"], ["text", "abc", true], "all are there"),
  row("contains_all", ["a", "x"], ["list of texts", ["a", "b"], false], "one is missing"),
  row("starts_with", ["x", "ab"], ["text", "Abc", true], "one of them"),
  row("starts_with", "b", ["text", "abc", false], "the middle is not the start"),
  row("ends_with", "BC", ["text", "abc", true], "in any case"),
  row("ends_with", "b", ["text", "abc", false], "the middle is not the end"),
  row("matches", "a+b", ["text", "caab", true], "anywhere in the text"),
  row("matches", ["x", "A"], ["text", "a", true], "in any case"),
  row("matches", "^a", ["text", "ba", false], "or where the pattern says"),
  row("gt", 3, ["number", 3, false], "not equal"),
  row("gt", 3, ["number", 4, true], "more"),
  row("gte", 3, ["number", 3, true], "equal"),
  row("gte", 3, ["number", 2, false], "less"),
  row("lt", 3, ["number", 2, true], "less"),
  row("lt", 3, ["number", 3, false], "not equal"),
  row("lte", 3, ["number", 3, true], "equal"),
  row("lte", 3, ["number", undefined, false], "absent is not a number"),
  row("older_than", "10s", ["time", NOW - 10_001, true], "further back"),
  row("older_than", "10s", ["time", NOW - 10_000, false], "exactly as far back"),
  row("newer_than", "10s", ["time", NOW - 9_999, true], "less far back"),
  row("newer_than", "10s", ["time", undefined, false], "absent is not a time"),
  row("exists", true, ["text", "", true], "an empty text is there"),
  row("exists", true, ["list of texts", undefined, false], "absent"),
  row("exists", false, ["boolean", undefined, true], "absent, as asked"),
];

describe("the table of operators", () => {
  test.each(Object.entries(OPERATORS))(
    "%s has a description for editors, and examples here",
    (name, one) => {
      const outcomes = ROWS.filter(({ operator }) => operator === name).map(({ holds }) => holds);

      expect(z.toJSONSchema(one.operand, { io: "input" }).description).toMatch(/\S/);
      expect(one.types.length).toBeGreaterThan(0);
      expect(new Set(outcomes)).toEqual(new Set([true, false]));
      expect(reservedWord("operator", name)).toBeUndefined();
    },
  );

  test.each(ROWS)("$operator $operand of $value is $holds: $why", (one) => {
    expect(passes(one.type, one.value, { [one.operator]: one.operand })).toBe(one.holds);
  });

  test.each<FieldType>(["text", "number", "boolean", "list of texts", "time"])(
    "lists the operators of a %s if another one is used",
    (type) => {
      const fitting = Object.entries(OPERATORS).filter(([name]) => {
        const { faults } = compileMatcher(type, { [name]: operandOf(name) }, NAMES);
        return !codesOf(faults).some((code) => code === "operator-not-for-type");
      });

      expect(fitting.map(([name]) => name)).toEqual(
        Object.keys(OPERATORS).filter((name) => OPERATORS[name]?.types.includes(type)),
      );
    },
  );
});

function operandOf(name: string): unknown {
  return ROWS.find(({ operator }) => operator === name)?.operand;
}

describe("laws of operators", () => {
  // some characters fold to an empty text, which a rule may not search for
  const seen = (word: string): boolean => fold(word).trim() !== "";
  const words = fc.array(fc.string({ minLength: 1, unit: "grapheme" }).filter(seen), {
    minLength: 1,
    maxLength: 4,
  });
  const text = fc.string({ unit: "grapheme" });

  it("contains_any is true if contains is true for one entry, contains_all for each", () => {
    fc.assert(
      fc.property(text, words, (value, needles) => {
        const each = needles.map((one) => passes("text", value, { contains: one }));

        expect(passes("text", value, { contains_any: needles })).toBe(each.some(Boolean));
        expect(passes("text", value, { contains_all: needles })).toBe(each.every(Boolean));
        expect(passes("text", value, { contains: needles })).toBe(each.some(Boolean));
      }),
    );
  });

  it("a text starts with, ends with, contains and equals itself", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (padded) => {
        const value = padded.trim();
        // Some combining marks fold to a blank with the mark. The text of an event is trimmed, but a word of `contains`
        // is not: a text that folds to blanks at its ends does not contain itself, so it is skipped.
        fc.pre(fold(value).trim() !== "" && fold(value) === fold(value).trim());
        for (const name of ["starts_with", "ends_with", "contains", "equals"]) {
          expect(passes("text", value, { [name]: value })).toBe(true);
          expect(passes("text", value, { [name]: value, cased: true })).toBe(true);
        }
      }),
    );
  });

  it("exactly one of gt, equals, lt is true for two numbers", () => {
    const number = fc.integer({ min: -5, max: 5 });
    fc.assert(
      fc.property(number, number, (value, limit) => {
        const held = ["gt", "equals", "lt"].filter((name) =>
          passes("number", value, { [name]: limit }),
        );

        expect(held).toHaveLength(1);
        expect(passes("number", value, { gte: limit })).toBe(held[0] !== "lt");
        expect(passes("number", value, { lte: limit })).toBe(held[0] !== "gt");
      }),
    );
  });
});

describe("a handle", () => {
  const handles: Names = {
    ...NAMES,
    list: () => makeList({ entries: ["@Ann", "ben"], match: "exact", normalize: USUAL }),
  };
  const isHandle = (
    type: FieldType,
    value: FieldValue,
    condition: Record<string, unknown>,
  ): boolean => {
    const { tests, faults } = compileMatcher(type, condition, { ...handles, isHandle: true });
    expect(faults).toEqual([]);
    return tests.every((one) => one.test(value, evaluation));
  };

  test.each<[FieldType, FieldValue, Record<string, unknown>, boolean]>([
    ["text", "ann", { equals: "@Ann" }, true],
    ["text", "ann", { in: ["ben", "＠ann"] }, true],
    ["text", "ann", { in_list: "staff" }, true],
    ["text", "ben", { in_list: "staff" }, true],
    ["text", "eve", { in_list: "staff" }, false],
    ["text", "ann_shop", { starts_with: "@ann" }, true],
    ["text", "ann", { equals: "@ann", cased: true }, true],
    ["list of texts", ["ben", "ann"], { contains: "@ann" }, true],
    ["list of texts", ["ben", "ann"], { contains_all: ["@ann", "@ben"] }, true],
    ["list of texts", ["ben"], { contains_any: ["@ann"] }, false],
    ["list of texts", ["ann"], { in_list: "staff" }, true],
  ])(
    "is the same with @ and without: a %s %j, compared with %j",
    (type, value, condition, held) => {
      expect(isHandle(type, value, condition)).toBe(held);
    },
  );

  it("keeps @ in other texts", () => {
    expect(passes("text", "ann", { equals: "@ann" })).toBe(false);
    expect(passes("text", "mail @ann", { contains: "@ann" })).toBe(true);
  });
});

test.each([
  { why: "a text for a number", type: "number" as const, condition: { equals: "3" } },
  { why: "one of a list", type: "number" as const, condition: { in: [1, "2"] } },
  { why: "a number for a boolean", type: "boolean" as const, condition: { equals: 1 } },
])("an operand of another type is refused: $why", ({ type, condition }) => {
  const { faults } = compileMatcher(type, condition);

  expect(codesOf(faults)).toEqual(["operand-type"]);
});
