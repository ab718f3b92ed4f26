import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AccountEvent, MessageEvent } from "../../../src/events/event.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide, type DecideContext, explain } from "../../../src/rules/decide/decide.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import type { Json } from "../../../src/protocol/json.ts";
import { tidy } from "../../../src/text/fold.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { rulesetOf, ruleWith } from "../support/compiling.ts";

const MINUTE_MS = 60_000;

/** Returns whether and why each rule ran or not, as `id: reason`. */
function said(event: AccountEvent, ruleset: Ruleset, over: Partial<DecideContext> = {}): string[] {
  const verdicts = explain(event, ruleset, { now: event.at, ...over });
  return verdicts.map(({ ruleId, reason }) => `${ruleId}: ${reason}`);
}

const from = (sender: Partial<MessageEvent["sender"]>): MessageEvent => ({
  ...messageReceived({ text: "What are your HOURS? ＲＥＦＵＮＤ please" }),
  sender: { id: "200", username: "ana", name: "Ana", followersCount: 1_500, ...sender },
});

describe("a condition", () => {
  test.each([
    ["message.text: {contains_word: hours}", true, "words are found in any case"],
    ["message.text: {contains_word: hour}", false, "part of a word is not the word"],
    ["message.text: {contains_word: refund}", true, "wide letters are the same letters"],
    ["message.text: {contains_word: [x, your hours]}", true, "a list means any of it"],
    ["message.text: {contains: refund, cased: true}", false, "cased compares as written"],
    ["message.text: {contains_all: [what, please]}", true, "all of them"],
    ["message.text: {contains_all: [what, money]}", false, "one is missing"],
    ["message.text: {starts_with: what}", true, "the start"],
    ["message.text: {ends_with: [x, please]}", true, "the end, any of a list"],
    ["message.text: {matches: '(?i)\\bhours?\\b'}", true, "an RE2 pattern"],
    ["message.text: {matches: 'hours'}", true, "in any case"],
    ["message.text: {matches: 'hours', cased: true}", false, "unless case counts"],
    ["text: {contains: hours}", true, "text is that of whatever the trigger carries"],
    ["sender.username: ana", true, "a bare value means equals"],
    ["sender.username: {in: [bob, ANA]}", true, "one of a list, in any case"],
    ["sender.followers_count: {gt: 1000, lt: 2000}", true, "several operators must all hold"],
    ["sender.followers_count: {lte: 1000}", false, "the number is larger"],
    ["sender.verified: true", false, "an absent field equals nothing"],
    ["sender.verified: {exists: false}", true, "an absent field can be asked for"],
    ["not: {sender.verified: true}", true, "nor is an absent field true"],
    ["any: [{sender.username: bob}, {text: {contains: hours}}]", true, "one of two"],
    ["all: [{sender.username: bob}, {text: {contains: hours}}]", false, "both of two"],
    ["not: [{sender.username: ana}, {text: {contains: hours}}]", false, "not both, yet both hold"],
    ["if: sender.followers_count > 1000 && !has(sender.verified)", true, "an expression"],
    ['if: \'message.text.contains_any(["hours", "x"])\'', true, "texts have functions"],
    ['if: event.direction == "inbound"', true, "the event itself can be asked"],
    ["sender.created_at: {older_than: 7d}", true, "an age, by the event's time"],
    ["sender.created_at: {newer_than: 7d}", false, "older than that"],
  ])("%s is %s: %s", (condition, holds) => {
    const event = from({ createdAt: 0 });

    expect(said(event, ruleWith(`[{${condition}}]`))).toEqual([
      holds ? "a: matched" : "a: condition",
    ]);
  });

  it("compares the digits of unquoted numbers if the field is text", () => {
    const ruleset = ruleWith("[{message.text: 0123}]");

    expect(said(messageReceived({ text: "0123" }), ruleset)).toEqual(["a: matched"]);
    expect(said(messageReceived({ text: "123" }), ruleset)).toEqual(["a: condition"]);
  });

  it("reports the first failing clause, the expected value and the actual one", () => {
    const ruleset = ruleWith("[{sender.username: ana}, {any: [{text: {contains: refnud}}]}]");

    const verdicts = explain(messageReceived({ text: "refund" }), ruleset, { now: 0 });

    expect(verdicts[0]?.clause).toEqual({
      path: "conditions[1].any",
      wanted: "any of: text contains refnud",
      actual: "refund",
    });
  });

  it("on a field that the event lacks fails, even if it is negated", () => {
    const ruleset = ruleWith("[{not: {if: sender.followers_count > 10}}]");

    const verdicts = explain(messageReceived(), ruleset, { now: 0 });

    expect(verdicts[0]).toMatchObject({
      outcome: "no",
      reason: "expression-error",
      clause: { error: "sender.followers_count is not known here" },
    });
  });
});

describe("a group", () => {
  const ruleset = rulesetOf(`
groups: {faq: {match: first}}
rules:
  - {id: any, group: faq, fallback: true, triggers: [dm.received], actions: [{reply_dm: any}]}
  - {id: one, group: faq, triggers: [dm.received], conditions: [{text: {contains: one}}], actions: [{reply_dm: a}]}
  - {id: two, group: faq, triggers: [dm.received], conditions: [{text: {contains: two}}], actions: [{reply_dm: b}]}
  - {id: also, triggers: [dm.received], actions: [{log: seen}]}
  - {id: first, triggers: [dm.received], actions: [{reply_dm: c}]}
  - {id: second, triggers: [dm.received], actions: [{reply_dm: d}]}
  - {id: free, group: none, triggers: [dm.received], actions: [{reply_dm: e}]}
`);

  test.each([
    {
      text: "one two",
      faq: ["one: matched", "two: group-already-matched"],
      any: "any: group-already-matched",
      why: "the first in the file answers",
    },
    {
      text: "two",
      faq: ["one: condition", "two: matched"],
      any: "any: group-already-matched",
      why: "the next when the first doesn't fit",
    },
    {
      text: "three",
      faq: ["one: condition", "two: condition"],
      any: "any: matched",
      why: "the fallback, though it stands first in the file",
    },
  ])("answers $text once: $why", ({ text, faq, any }) => {
    expect(said(messageReceived({ text }), ruleset)).toEqual([
      ...faq,
      "also: matched",
      "first: matched",
      "second: group-already-matched",
      "free: matched",
      any,
    ]);
  });
});

describe("a fallback without a named group", () => {
  const file = (id: string, text: string) =>
    `version: 1\nrules:\n  - {id: ${id}, triggers: [dm.received], conditions: [{text: {contains: ${text}}}], actions: [{reply_dm: a}]}\n  - {id: ${id}-else, fallback: true, triggers: [dm.received], actions: [{reply_dm: b}]}\n`;
  const { ruleset } = compile([
    { path: "a.yaml", text: file("one", "one") },
    { path: "b.yaml", text: file("two", "two") },
  ]);

  test.each([
    { text: "two", why: "a rule of another file answers", ran: ["two"] },
    { text: "three", why: "none does: one of them answers", ran: ["one-else"] },
  ])("is silent if $why", ({ text, ran }) => {
    const runs = decide(messageReceived({ text }), ruleset, { now: 0 }).runs;

    expect(runs.map(({ ruleId }) => ruleId)).toEqual(ran);
  });
});

describe("a rule stays silent", () => {
  const one = (more: string, trigger = "dm.received") =>
    rulesetOf(`rules: [{id: a, triggers: [${trigger}], ${more} actions: [{reply_dm: hi}]}]`);
  const event = messageReceived();
  const outbound: MessageEvent = { ...event, direction: "outbound" };

  test.each([
    { rules: one("enabled: false,"), reason: "disabled", why: "it is switched off" },
    { rules: one("stage: draft,"), reason: "stage-draft", why: "nobody is to see it yet" },
    { rules: one("stage: shadow,"), reason: "stage-shadow", why: "it is only watched" },
    {
      rules: one(""),
      over: { now: event.at + 1_441 * MINUTE_MS },
      reason: "too-old",
      why: "a day",
    },
    {
      rules: one(""),
      over: { now: event.at + 1_440 * MINUTE_MS },
      reason: "matched",
      why: "not yet",
    },
    {
      rules: one("max_age: 1m,"),
      over: { now: event.at + 61_000 },
      reason: "too-old",
      why: "its own",
    },
    {
      rules: one("max_age: none,"),
      over: { now: event.at * 2 },
      reason: "matched",
      why: "any age",
    },
    {
      rules: one("on_replay: skip,"),
      over: { replayed: true },
      reason: "replayed",
      why: "it says so",
    },
    {
      rules: one("on_replay: notify,"),
      over: { replayed: true, now: event.at * 2 },
      reason: "replayed",
      why: "a person is told, however old it is",
    },
    {
      rules: one("on_replay: notify,"),
      over: { now: event.at + 1_441 * MINUTE_MS },
      reason: "too-old",
      why: "nothing was missed",
    },
    {
      rules: one(""),
      over: { replayed: true },
      reason: "matched",
      why: "catching up is answering",
    },
    { rules: one(""), event: outbound, reason: "own-event", why: "the account did it itself" },
  ])("or runs: $reason: $why", ({ rules, over = {}, reason, ...row }) => {
    expect(said(row.event ?? event, rules, over)).toEqual([`a: ${reason}`]);
  });

  it("and informs the person of a late message if it would have run, and keeps the rest of its group silent", () => {
    const ruleset = rulesetOf(`
rules:
  - {id: a, on_replay: notify, triggers: [dm.received], conditions: [{message.text: {contains_word: hours}}], actions: [{reply_dm: hi}]}
  - {id: b, triggers: [dm.received], fallback: true, actions: [{reply_dm: what}]}
`);
    const late = (text: string) =>
      decide(messageReceived({ text }), ruleset, { now: event.at, replayed: true });

    expect(late("hours?").runs).toEqual([]);
    expect(late("hours?").overflows).toMatchObject([
      {
        ruleId: "a",
        handOver: { queue: "replayed", note: expect.stringMatching(/^a would have/) },
      },
    ]);
    expect(late("hello").runs.map(({ ruleId }) => ruleId)).toEqual(["b"]);
    expect(late("hello").overflows).toEqual([]);
  });

  it("during its cooldown, and keeps the rest of its group silent meanwhile", () => {
    const ruleset = rulesetOf(`
rules:
  - {id: a, triggers: [dm.received], cooldown: {per: sender, for: 10m}, actions: [{reply_dm: hi}]}
  - {id: b, triggers: [dm.received], fallback: true, actions: [{reply_dm: what}]}
`);
    const state = new Map<string, Json>();
    const at = (minutes: number, event = messageReceived()) => {
      const now = event.at + minutes * MINUTE_MS;
      const decision = decide(event, ruleset, { now, read: (key) => state.get(key) });
      for (const change of decision.changes) state.set(change.key, change.value);
      return decision.judged.map(({ reason }) => reason);
    };

    expect(at(0)).toEqual(["matched", "group-already-matched"]);
    expect(at(9)).toEqual(["cooldown", "group-already-matched"]);
    expect(at(9, { ...messageReceived(), sender: { id: "7" } })[0]).toBe("matched");
    expect(at(10)[0]).toBe("matched");
  });
});

describe("a rule with several triggers", () => {
  const ruleset = rulesetOf(`
rules:
  - id: a
    triggers: [{trigger: post.quoted, id: quote}, {trigger: post.mentioned, match: {text: {contains: open}}}]
    actions: [like]
`);

  it("runs once for an event that matches all of them, started by the first", () => {
    const event: AccountEvent = { ...postMentioned(), triggers: ["post.mentioned", "post.quoted"] };

    const { runs } = decide(event, ruleset, { now: event.at });

    expect(runs.map(({ trigger }) => trigger)).toEqual([{ name: "post.quoted", id: "quote" }]);
  });

  it("matches each trigger on its own", () => {
    expect(said(postMentioned({ text: "open?" }), ruleset)).toEqual(["a: matched"]);
    expect(said(postMentioned({ text: "hello" }), ruleset)).toEqual(["a: condition"]);
  });
});

describe("matches", () => {
  it("has the same results as a plain regular expression, whatever the engine does first", () => {
    const words = fc.constantFrom(
      "hours",
      "want",
      "my money",
      "a",
      "K",
      "\u017f",
      "\u212a",
      " ",
      "ß",
    );
    const pattern = fc.constantFrom(
      "(?i)\\bwant my money\\b",
      "(?i)hours?",
      "hours",
      "(?i)skin",
      "(?i)ask",
      "hours|want",
      "ho{0,2}urs",
      "(?i)mo*ney",
      "^want.*money$",
      "w.nt",
    );
    const text = fc
      .array(fc.oneof(words, fc.constantFrom("skin", "Ask", "hrs", "hour")))
      .map((parts) => parts.join(""));

    fc.assert(
      fc.property(pattern, text, (source, one) => {
        const ruleset = ruleWith(`[{message.text: {matches: '${source}'}}]`);
        const expected = new RegExp(source.replace("(?i)", ""), "iu").test(tidy(one).trim());

        expect(said(messageReceived({ text: one }), ruleset)).toEqual([
          expected ? "a: matched" : "a: condition",
        ]);
      }),
    );
  });
});

describe("contains_word", () => {
  it("has the same results as a comparison of every character", () => {
    const letters = fc.string({
      unit: fc.constantFrom("a", "b", " ", "-", "é", "😀"),
      maxLength: 12,
    });
    const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });

    fc.assert(
      fc.property(letters, word, (text, one) => {
        const expected = text.split(/[^\p{L}\p{N}_]/u).includes(one);
        const ruleset = ruleWith(`[{message.text: {contains_word: ${one}}}]`);

        expect(said(messageReceived({ text }), ruleset)).toEqual([
          expected ? "a: matched" : "a: condition",
        ]);
      }),
    );
  });
});

describe("any event", () => {
  it("is decided without an exception, and the same in a repetition", () => {
    const ruleset = rulesetOf(
      `
rules:
  - {id: a, triggers: [dm.received], variables: {n: '\${{ sender.followers_count * 2 }}'}, conditions: [{if: sender.followers_count > 3}], actions: [{reply_dm: a}]}
  - {id: b, triggers: [dm.received, post.mentioned], conditions: [{text: {matches: '(?i)a+'}}, {sender.created_at: {older_than: 1d}}], actions: [like2]}
`.replace("[like2]", "[{log: '${{ text }}'}]"),
    );
    const event = fc.record({
      text: fc.string({ unit: "binary" }),
      count: fc.option(fc.double(), { nil: undefined }),
      createdAt: fc.option(fc.double(), { nil: undefined }),
      at: fc.double(),
    });

    fc.assert(
      fc.property(event, ({ text, count, createdAt, at }) => {
        const one = from({
          ...(count === undefined ? {} : { followersCount: count }),
          ...(createdAt === undefined ? {} : { createdAt }),
        });
        const whole = { ...one, at, message: { ...one.message, text } };

        expect(decide(whole, ruleset, { now: 0 })).toEqual(decide(whole, ruleset, { now: 0 }));
      }),
    );
  });
});

describe("a rule for late events", () => {
  const rule = (onReplay: string) =>
    rulesetOf(
      `rules: [{id: a, on_replay: ${onReplay}, triggers: [dm.received], actions: [{reply_dm: hi}]}]`,
    );
  const event = messageReceived();

  test.each([
    { onReplay: "run", replayed: true, reason: "matched" },
    { onReplay: "skip", replayed: true, reason: "replayed" },
    { onReplay: "notify", replayed: true, reason: "replayed" },
    { onReplay: "run", replayed: false, reason: "matched" },
    { onReplay: "skip", replayed: false, reason: "matched" },
    { onReplay: "notify", replayed: false, reason: "matched" },
  ])("on_replay: $onReplay, replayed: $replayed: $reason", ({ onReplay, replayed, reason }) => {
    expect(said(event, rule(onReplay), { replayed })).toEqual([`a: ${reason}`]);
  });
});

describe("a rule with conditions on its triggers", () => {
  const ruleset = rulesetOf(
    `rules: [{id: a, triggers: [{trigger: dm.received, match: {text: {contains: one}}}, {trigger: post.mentioned, match: {text: {contains: two}}}], actions: [{reply: hi}]}]`,
  );

  test.each([
    { event: messageReceived({ text: "one" }), reason: "matched" },
    { event: messageReceived({ text: "two" }), reason: "condition" },
    { event: postMentioned({ text: "two" }), reason: "matched" },
    { event: postMentioned({ text: "one" }), reason: "condition" },
  ])("uses the conditions of the trigger that started it: $reason", ({ event, reason }) => {
    expect(said(event, ruleset)).toEqual([`a: ${reason}`]);
  });
});

it("distinguishes events of the account itself from those of other people", () => {
  const own: MessageEvent = { ...messageReceived(), direction: "outbound" };
  const asksOwn = rulesetOf(
    "rules: [{id: a, triggers: [{trigger: dm.received, direction: outbound}], actions: [{log: hi}]}]",
  );

  expect(said(own, ruleWith("[]"))).toEqual(["a: own-event"]);
  expect(said(messageReceived(), asksOwn)).toEqual(["a: not-own-event"]);
});

describe("a run that starts", () => {
  test.each([
    { pattern: String.raw`^order (?P<n>\d+)`, captures: { n: "7" } },
    { pattern: String.raw`^order \d+`, captures: undefined },
  ])("has the captures of $pattern", ({ pattern, captures }) => {
    const ruleset = ruleWith(`[{message.text: {matches: '${pattern}'}}]`);
    const event = messageReceived({ text: "order 7" });

    const [run] = decide(event, ruleset, { now: event.at }).runs;

    expect(run?.captures).toEqual(captures);
  });

  test.each([
    { text: "buy tea", captures: { first: "tea" } },
    { text: "sell tea", captures: { second: "tea" } },
    { text: "lend tea", captures: { third: "tea" } },
  ])("has the captures of the trigger that $text matches", ({ text, captures }) => {
    const triggers = ["buy (?P<first>.+)", "sell (?P<second>.+)", "lend (?P<third>.+)"].map(
      (pattern) => `{trigger: dm.received, match: {message.text: {matches: '^${pattern}'}}}`,
    );
    const ruleset = rulesetOf(
      `rules: [{id: a, triggers: [${triggers.join(", ")}], actions: [{reply: hi}]}]`,
    );
    const event = messageReceived({ text });

    expect(decide(event, ruleset, { now: event.at }).runs[0]?.captures).toEqual(captures);
  });
});

it("reports another conversation, although a trigger of another kind is open to all", () => {
  const triggers = "[{trigger: dm.received, in: group}, post.mentioned]";
  const ruleset = rulesetOf(`rules: [{id: a, triggers: ${triggers}, actions: [{reply: hi}]}]`);

  expect(said(messageReceived(), ruleset)).toEqual(["a: other-conversation"]);
});
