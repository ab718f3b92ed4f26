import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide, explain } from "../../../src/rules/decide/decide.ts";
import { LIST_MATCHES } from "../../../src/rules/lists/rule-list.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { ruleWith } from "../support/compiling.ts";

const WORDS = [
  ..."order,orders,der,Refund,re,x,#a1,straße,STRASSE,ſtop,ς,Σ,σας,e\u0301,é,K,k,ﬁn,fin,注文,注,ＯＫ,2️⃣,👍🏽,👍,J\u030c".split(
    ",",
  ),
  "money back",
  "a_b",
];
const PATTERNS = [
  "order",
  "(?i)ORDERS?",
  "\\b(?i:stop|refund)\\b",
  "o.{0,3}er|fi+n",
  "[a-z]{3}",
  "(?:re|mon)(?P<x>fund|ey) ?back?",
  "^x$",
  "(?i)ς",
  "(?i)k",
  "é",
  "a_b|\\d",
  "注文?",
  "\\b[a-f]{2}\\b",
  "^.{3,5}$",
  "\\pL\\d",
  "[^a-z ]",
  "(?i)[k-ſ]",
  "(?P<y>[σ-ω])|[0-9]$",
  "[1-5]️⃣",
  "\\d️⃣",
  "(?P<z>[1-9])️⃣",
  "(?:1️⃣|2️⃣)",
  "[👍👎][🏻-🏿]",
  "[👍👎]🏽",
  "👍[🏻-🏿]",
  "[hj]\u030c",
];

const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { minLength: 1, maxLength: 3 });
const number = fc.integer({ min: 0, max: 6 });
const text = fc.constantFrom("message.text", "text", "sender.username");
const conditionOf = (operators: readonly string[], operand: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.constantFrom(...operators), operand, fc.boolean());

/** A word list for each kind of comparison and each normalization of text. */
const LISTS = Object.fromEntries(
  LIST_MATCHES.flatMap((match) =>
    [[], ["case"], ["width"], ["case", "width"], ["case", "width", "homoglyphs"]].map(
      (normalize, number) => {
        const entries = WORDS.filter((_, index) => index % 5 === number);
        return [`${match}-${number}`, { match, normalize, entries }] as const;
      },
    ),
  ),
);

const field = fc.oneof(
  fc
    .tuple(fc.oneof(text, fc.constant("message.hashtags")), fc.constantFrom(...Object.keys(LISTS)))
    .map(([name, list]) => ({ [name]: { in_list: list } })),
  fc
    .tuple(
      text,
      conditionOf(["contains", "contains_word", "starts_with", "ends_with"], fc.oneof(word, words)),
    )
    .map(([name, [operator, operand, cased]]) => ({ [name]: { [operator]: operand, cased } })),
  fc
    .tuple(text, conditionOf(["in", "contains_all", "contains_any"], words))
    .map(([name, [operator, operand, cased]]) => ({ [name]: { [operator]: operand, cased } })),
  fc.tuple(text, word).map(([name, value]) => ({ [name]: value })),
  fc.tuple(text, fc.constantFrom(...PATTERNS)).map(([name, matches]) => ({ [name]: { matches } })),
  fc
    .tuple(fc.constantFrom("gt", "gte", "lt", "lte", "equals"), number)
    .map(([operator, limit]) => ({ "sender.followers_count": { [operator]: limit } })),
  fc.boolean().map((value) => ({ "sender.verified": value })),
  conditionOf(["contains", "contains_any", "contains_all"], words).map(
    ([operator, operand, cased]) => ({
      "message.hashtags": { [operator]: operand, cased },
    }),
  ),
);
const quoted = word.map((one) => JSON.stringify(one));
const list = words.map((all) => JSON.stringify(all));
const term = fc.oneof(
  fc
    .tuple(fc.constantFrom("contains", "startsWith", "endsWith", "has_word"), quoted)
    .map(([name, one]) => `message.text.${name}(${one})`),
  fc
    .tuple(fc.constantFrom("contains_any", "contains_all", "has_word"), list)
    .map(([name, all]) => `text.${name}(${all})`),
  quoted.map((one) => `message.text == ${one}`),
  quoted.map((one) => `${one} in message.hashtags`),
  list.map((all) => `sender.username in ${all}`),
  fc
    .tuple(fc.constantFrom(">", ">=", "<", "<=", "=="), number)
    .map(([operator, limit]) => `sender.followers_count ${operator} ${limit}`),
  number.map((limit) => `${limit} < sender.followers_count`),
  fc.constant("sender.verified"),
  fc
    .tuple(
      fc.constantFrom("event.time", "sender.created_at"),
      fc.constantFrom("contains", "startsWith", "endsWith", "has_word"),
      fc.constantFrom("2025", "2026", "2026-01-01", "-01", "00.000Z"),
    )
    .map(([name, verb, part]) => `${name}.${verb}("${part}")`),
  fc
    .tuple(
      fc.constantFrom("event.time", "sender.created_at"),
      fc.constantFrom("==", ">=", "<="),
      fc.constantFrom("2025-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", "2025-06"),
    )
    .map(([name, sign, time]) => `"${time}" ${sign} ${name} || ${name} in ["${time}"]`),
);
const expression = fc
  .tuple(term, fc.constantFrom("&&", "||", "&& !", "|| !"), term, fc.constantFrom("&&", "||"), term)
  .map(([a, first, b, second, c]) => `((${a}) ${first}(${b})) ${second} (${c})`);

const { condition } = fc.letrec<{ condition: unknown }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    field,
    expression.map((source) => ({ if: source })),
    fc.array(tie("condition"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    fc.array(tie("condition"), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    tie("condition").map((not) => ({ not })),
  ),
}));

const anyRule = fc.record(
  {
    conditions: fc.array(condition, { maxLength: 2 }),
    fallback: fc.boolean(),
    stage: fc.constantFrom("live", "live", "shadow", "draft"),
    enabled: fc.constantFrom(true, true, true, false),
    group: fc.constantFrom("none", "all", "g"),
    cooldown: fc.constant({ per: "rule", for: "1h" }),
  },
  { requiredKeys: ["conditions"] },
);
/** Random rules. A fallback without a group is omitted, since the compiler rejects it. */
const rule = anyRule.filter(({ fallback, group }) => fallback !== true || group !== "none");

function ruleset(rules: readonly object[]): Ruleset {
  const all = rules.map((one, index) => ({
    id: `r${index}`,
    triggers: ["dm.received"],
    actions: [{ reply_dm: "hi" }],
    ...one,
  }));
  const file = {
    version: 1,
    groups: { all: { match: "first" }, g: { match: "first" } },
    lists: LISTS,
    rules: all,
  };
  const compiled = compile([{ path: "a.yaml", text: JSON.stringify(file) }]);
  const errors = compiled.problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors[0]));
  return compiled.ruleset;
}

const message = fc
  .record({
    text: fc.array(fc.oneof(word, fc.constantFrom(" ", "9", "Z")), { maxLength: 6 }),
    spaced: fc.boolean(),
    hashtags: fc.array(word, { maxLength: 2 }),
    username: word,
    followersCount: fc.option(number, { nil: undefined }),
    verified: fc.option(fc.boolean(), { nil: undefined }),
    createdAt: fc.constantFrom(Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 1), undefined),
  })
  .map(({ text: parts, spaced, hashtags, username, followersCount, verified, createdAt }) => ({
    ...messageReceived({ text: parts.join(spaced ? " " : ""), hashtags }),
    sender: {
      id: "200",
      username,
      ...(followersCount !== undefined && { followersCount }),
      ...(verified !== undefined && { verified }),
      ...(createdAt !== undefined && { createdAt }),
    },
  }));

describe("the index of rules", () => {
  it("finds the rules that judging each rule finds", () => {
    let ran = 0;
    let ruledOut = 0;
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 12 }),
        fc.array(message, { minLength: 8, maxLength: 8 }),
        fc.boolean(),
        (rules, events, cooling) => {
          const set = ruleset(rules);
          for (const event of events) {
            const read = () => (cooling ? event.at - 1 : undefined);
            const decision = decide(event, set, { now: event.at, read });
            const each = explain(event, set, { now: event.at, read });

            expect(decision.runs.map(({ ruleId }) => ruleId)).toEqual(
              each.filter(({ outcome }) => outcome === "ran").map(({ ruleId }) => ruleId),
            );
            ran += decision.runs.length;
            ruledOut += decision.ruledOut;
          }
        },
      ),
      { numRuns: 60 },
    );
    // guards against a test without content: enough random rules must have run, and enough have been ruled out
    expect(ran).toBeGreaterThan(50);
    expect(ruledOut).toBeGreaterThan(300);
  });

  it("finds each pattern in each text that the pattern matches", () => {
    const set = ruleset(
      PATTERNS.map((matches) => ({ group: "none", conditions: [{ "message.text": { matches } }] })),
    );
    for (const text of WORDS.flatMap((one) => [one, `x ${one} x`, `${one}${one}`])) {
      const event = messageReceived({ text });
      const ran = decide(event, set, { now: event.at }).runs.map(({ ruleId }) => ruleId);
      const verdicts = explain(event, set, { now: event.at });

      expect(ran, text).toEqual(
        verdicts.filter(({ outcome }) => outcome === "ran").map(({ ruleId }) => ruleId),
      );
    }
  });

  test.each([
    ["message.text: {contains_word: [refund, money]}", "a word"],
    ["message.text: {matches: '(?i)\\bwhere.{0,20}\\border\\b|\\border status\\b'}", "a pattern"],
    ["message.text: {equals: refund}", "a whole text"],
    ["any: [{text: {contains: refund}}, {sender.followers_count: {gt: 10}}]", "one of two"],
    ["all: [{sender.verified: true}, {text: {starts_with: refund}}]", "both of two"],
    ["if: 'message.text.has_word([\"refund\"]) || sender.followers_count > 10'", "an expression"],
    ["message.hashtags: {contains: refund}", "a member of a list"],
  ])("excludes %s, by %s, if the event contains nothing of it", (condition) => {
    const set = ruleWith(`[{${condition}}]`);

    expect(decide(messageReceived({ text: "hello" }), set, { now: 0 }).ruledOut).toBe(1);
  });

  test.each([
    ["not: {text: {contains: refund}}", "what is not to be there can't be looked up"],
    ["message.text: {matches: '^[a-z]+$'}", "a pattern without a letter of its own"],
    ["any: [{text: {contains: refund}}, {sender.verified: {exists: false}}]", "one branch is open"],
  ])("judges %s for each event: %s", (condition) => {
    const set = ruleWith(`[{${condition}}]`);

    expect(decide(messageReceived({ text: "hello" }), set, { now: 0 }).judged).toHaveLength(1);
  });

  test.each([
    'event.time.startsWith("2026-01-01")',
    'event.time == "2026-01-01T00:00:00.000Z"',
    'event.time in ["2026-01-01T00:00:00.000Z"]',
    'sender.created_at.contains("-12-")',
    'sender.created_at.endsWith("Z")',
    'sender.created_at.has_word("2020")',
  ])("starts a rule with a time that it compares as a text: %s", (source) => {
    const event = messageReceived();
    const sender = { ...event.sender, createdAt: Date.UTC(2020, 11, 24) };
    const set = ruleWith(`[{if: '${source}'}]`);

    expect(decide({ ...event, sender }, set, { now: event.at }).runs).toHaveLength(1);
  });

  it("skips rules that listen to something else", () => {
    const set = ruleWith("[{text: {contains: open}}]");

    expect(decide(postMentioned(), set, { now: 0 })).toMatchObject({ judged: [], ruledOut: 0 });
  });

  it("treats letters as equal if patterns do", () => {
    const letters: string[] = [];
    for (let code = 0x41; code < 0x1_0000; code++) {
      const letter = String.fromCodePoint(code);
      if (/\p{L}/u.test(letter) && letter.toUpperCase() !== letter.toLowerCase())
        letters.push(letter);
    }
    for (const letter of letters.filter((_, index) => index % 40 === 0)) {
      const set = ruleWith(`[{message.text: {matches: '(?i)${letter}'}}]`);
      for (const form of [letter.toUpperCase(), letter.toLowerCase()]) {
        const event = messageReceived({ text: `-${form}-` });
        const { runs } = decide(event, set, { now: event.at });
        const [verdict] = explain(event, set, { now: event.at });

        expect(runs.length, `${letter} ${form}`).toBe(verdict?.outcome === "ran" ? 1 : 0);
      }
    }
  });
});
