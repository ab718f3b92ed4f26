import type { FieldValue } from "../../../src/events/fields.ts";
import { describe, expect, it, test } from "vitest";
import { clauseInWords, valueInWords } from "../../../src/insight/words/clause.ts";
import { verdictInWords } from "../../../src/insight/words/verdict.ts";
import { compileRules } from "../../../src/rules/compile/compile-rules.ts";
import { explain } from "../../../src/rules/decide/decide.ts";
import { OPERATORS } from "../../../src/rules/operators/operators.ts";
import { messageReceived } from "../../support/events.ts";

const inWords = (wanted: string, actual: FieldValue): string =>
  clauseInWords({ path: `conditions[0].${wanted.split(" ")[0]}`, wanted, actual });

describe("a failed clause in words", () => {
  it.each([
    [
      "message.text contains_word human|agent",
      "hi",
      'wants the word "human" or "agent", the message is "hi"',
    ],
    [
      "message.text contains_word opening hours|open",
      "hi",
      'wants the words "opening hours" or "open", the message is "hi"',
    ],
    ["post.text contains refund", "hi", 'wants the text "refund", the post is "hi"'],
    [
      "message.hashtags contains_any sale|offer",
      ["a"],
      'wants the text "sale" or "offer", message.hashtags is ["a"]',
    ],
    [
      "message.text contains_all order|late",
      "hi",
      'wants the texts "order" and "late", the message is "hi"',
    ],
    ["message.text equals hello", "hi", 'wants "hello", the message is "hi"'],
    ["message.text in a|b|c", "hi", 'wants "a", "b" or "c", the message is "hi"'],
    [
      "sender.username in_list team",
      "ana",
      'wants an entry of the list team, sender.username is "ana"',
    ],
    ["message.text starts_with order ", "hi", 'wants "order " at the start, the message is "hi"'],
    ["message.text ends_with ?", "hi", 'wants "?" at the end, the message is "hi"'],
    ["message.text matches ^a|b$", "hi", 'wants the pattern ^a|b$, the message is "hi"'],
    ["sender.followers_count gt 1000", 7, "wants more than 1000, sender.followers_count is 7"],
    ["sender.followers_count gte 1000", 7, "wants 1000 or more, sender.followers_count is 7"],
    ["sender.post_count lt 1", 7, "wants less than 1, sender.post_count is 7"],
    ["sender.post_count lte 5", undefined, "wants 5 or less, sender.post_count has no value"],
    [
      "sender.created_at older_than 180d",
      "x",
      'wants a time more than 180d ago, sender.created_at is "x"',
    ],
    [
      "sender.created_at newer_than 7d",
      "x",
      'wants a time less than 7d ago, sender.created_at is "x"',
    ],
    [
      "sender.created_at older_than 180d",
      Date.UTC(2026, 11, 1),
      "wants a time more than 180d ago, sender.created_at is 2026-12-01T00:00:00.000Z",
    ],
    [
      "sender.created_at older_than 180d",
      1e300,
      "wants a time more than 180d ago, sender.created_at is 1e+300",
    ],
    ["sender.location exists true", undefined, "wants a value, sender.location has no value"],
    ["sender.location exists false", "Bern", 'wants no value, sender.location is "Bern"'],
  ])("%s", (wanted, actual, sentence) => {
    expect(inWords(wanted, actual)).toBe(sentence);
  });

  it.each([
    [
      "message.text contains order, starts_with a",
      "hi",
      'wants message.text contains order, starts_with a, there is "hi"',
    ],
    [
      "any of: message.text contains a; post.text contains b",
      undefined,
      "wants any of: message.text contains a; post.text contains b, there is nothing",
    ],
    ['steps.x.text == "yes"', false, 'wants steps.x.text == "yes", there is false'],
  ])("of several tests or an expression keeps its text: %s", (wanted, actual, sentence) => {
    expect(inWords(wanted, actual)).toBe(sentence);
  });

  it("of an expression that failed names the error", () => {
    const clause = {
      path: "conditions[0]",
      wanted: "message.text.size() > 2",
      error: "no such key",
    };

    expect(clauseInWords(clause)).toBe("message.text.size() > 2: no such key");
  });

  it("has words for every operator", () => {
    const without = Object.keys(OPERATORS).filter((name) =>
      inWords(`message.text ${name} 1`, "hi").startsWith(`wants message.text ${name}`),
    );

    expect(without).toEqual([]);
  });
});

describe("a rule that was compiled and does not match", () => {
  it.each([
    [
      "{ message.text: { contains_word: [refund, money] } }",
      'wants the words? "refund" or "money", the message is "hi"',
    ],
    ["{ message.text: { in: [yes, no] } }", 'wants "yes" or "no", the message is "hi"'],
    [
      '{ any: [{ message.text: { contains: refund } }, { message.text: { matches: "^pay" } }] }',
      'wants the text "refund", or the pattern \\^pay, the message is "hi"',
    ],
    [
      "{ any: [{ message.text: { contains: refund } }, { sender.username: { equals: zoe } }] }",
      "wants any of: message.text contains refund; sender.username equals zoe, there is .*",
    ],
    [
      "{ not: { message.text: { contains: hi } } }",
      "wants not: message.text contains hi; that is true",
    ],
    [
      `{ if: 'message.text in ["yes", "no"]' }`,
      String.raw`wants message.text in \["yes", "no"\], there is .*`,
    ],
    [
      "{ now: { within: office } }",
      'wants a time within the hours "office", now is "2026-11-28T12:00:00.000Z"',
    ],
  ])("%s", (condition, sentence) => {
    const { ruleset } = compileRules(`version: 1
hours: { office: { zone: Europe/Berlin, open: ["mon-fri 09:00-17:30"] } }
rules:
  - id: order
    triggers: [dm.received]
    conditions: [${condition}]
    actions: [{ reply_dm: Hello }]
`);
    const saturday = Date.UTC(2026, 10, 28, 12);
    const verdicts = explain({ ...messageReceived({ text: "hi" }), at: saturday }, ruleset, {
      now: saturday,
    });

    expect(verdicts.map((verdict) => verdictInWords(verdict))).toEqual([
      expect.stringMatching(new RegExp(`^order: no match: ${sentence}$`)),
    ]);
  });
});

test("a long value is shortened", () => {
  expect(valueInWords("x".repeat(200))).toHaveLength(119);
});

describe("a rule that was not evaluated", () => {
  it.each([
    ["faq.yaml", "file"],
    ["support", "group"],
  ])("since a rule of %s had answered names the rule and the %s", (group, kind) => {
    const clause = { path: "group", wanted: `${group} not yet answered`, actual: "order" };

    expect(
      verdictInWords({
        ruleId: "hours",
        revision: "1",
        file: "faq.yaml",
        line: 3,
        outcome: "skipped",
        reason: "group-already-matched",
        clause,
      }),
    ).toBe(`hours: not asked: rule order matched first (one answer per ${kind})`);
  });
});
