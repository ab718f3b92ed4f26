import { describe, expect, it } from "vitest";
import { whyRule } from "../../src/insight/words/why.ts";
import { compile } from "../../src/rules/compile/compile.ts";
import { type DecideContext, explain } from "../../src/rules/decide/decide.ts";
import { eventOf } from "../../src/insight/tests/event-of.ts";
import type { Doing } from "../../src/insight/tests/test-file.ts";

const NOW = Date.UTC(2026, 2, 2, 9);
const ACCOUNT = { id: "100", username: "bot" };
const ANN = {
  id: "1001",
  username: "ann",
  name: "Ann",
  followersCount: 12,
  verified: false,
  createdAt: NOW - 3 * 86_400_000,
};

function why(rule: string, doing: Doing, context: Partial<DecideContext> = {}, ageMs = 0) {
  const trigger = rule.includes("triggers:") ? "" : `    triggers: [${doing.trigger}]\n`;
  const body = rule.split("\n").map((line) => `    ${line}\n`);
  const actions = "    actions: [{log: seen}]\n";
  const text = `version: 1\nrules:\n  - id: asked\n${trigger}${body.join("")}${actions}`;
  const { ruleset, problems } = compile([{ path: "rules.yaml", text }]);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const event = eventOf(doing, { account: ACCOUNT, person: ANN, at: NOW - ageMs, id: "7001" });
  const all = { now: NOW, ...context };
  const verdict = explain(event, ruleset, all)[0];
  const compiled = ruleset.rules[0];
  if (verdict === undefined || compiled === undefined) throw new Error("no rule listens");
  return whyRule(compiled, verdict, event, all);
}

const said = (text: string): Doing => ({ trigger: "dm.received", from: "ann", text });
const mention = (text: string): Doing => ({
  trigger: "post.mentioned",
  from: "ann",
  text,
  sender_blocked: false,
});
const cond = (condition: string): string => `conditions: [${condition}]`;

interface Case {
  readonly rule: string;
  readonly doing: Doing;
  readonly fails: string;
  readonly actual: string;
  readonly closest?: string;
  readonly context?: Partial<DecideContext>;
  readonly ageMs?: number;
}

const CASES: readonly Case[] = [
  {
    rule: cond("{message.text: {contains_word: [refund, chargeback]}}"),
    doing: said("is my refnud here"),
    fails: "message.text contains_word refund|chargeback",
    actual: '"is my refnud here"',
    closest: "refnud is 1 from refund",
  },
  {
    rule: cond("{message.text: {contains_word: money back}}"),
    doing: said("I want my mony back!"),
    fails: "message.text contains_word money back",
    actual: '"I want my mony back!"',
    closest: "mony back is 1 from money back",
  },
  {
    rule: cond("{message.text: {contains: hours}}"),
    doing: said("good morning"),
    fails: "message.text contains hours",
    actual: '"good morning"',
  },
  {
    rule: cond("{message.text: {equals: stop}}"),
    doing: said("stopp"),
    fails: "message.text equals stop",
    actual: '"stopp"',
    closest: "stopp is 1 from stop",
  },
  {
    rule: cond("{message.text: {in: [yes, yep]}}"),
    doing: said("no"),
    fails: "message.text in yes|yep",
    actual: '"no"',
  },
  {
    rule: cond("{message.text: {starts_with: order}}"),
    doing: said("my order"),
    fails: "message.text starts_with order",
    actual: '"my order"',
  },
  {
    rule: cond('{message.text: {ends_with: "?"}}'),
    doing: said("really!"),
    fails: "message.text ends_with ?",
    actual: '"really!"',
  },
  {
    rule: cond("{message.text: {contains_all: [red, shoe]}}"),
    doing: said("a red hat"),
    fails: "message.text contains_all red|shoe",
    actual: '"a red hat"',
  },
  {
    rule: cond("{message.text: {matches: '\\bA\\d{5}\\b'}}"),
    doing: said("order A123"),
    fails: "message.text matches \\bA\\d{5}\\b",
    actual: '"order A123"',
  },
  {
    rule: cond("{message.text: {equals: Stop, cased: true}}"),
    doing: said("stop"),
    fails: "message.text equals Stop",
    actual: '"stop"',
    closest: "stop is 1 from Stop",
  },
  {
    rule: cond("{sender.followers_count: {gt: 1000}}"),
    doing: said("hi"),
    fails: "sender.followers_count gt 1000",
    actual: "12",
  },
  {
    rule: cond("{sender.followers_count: {gte: 13}}"),
    doing: said("hi"),
    fails: "sender.followers_count gte 13",
    actual: "12",
  },
  {
    rule: cond("{sender.followers_count: {lt: 12}}"),
    doing: said("hi"),
    fails: "sender.followers_count lt 12",
    actual: "12",
  },
  {
    rule: cond("{sender.followers_count: {lte: 11}}"),
    doing: said("hi"),
    fails: "sender.followers_count lte 11",
    actual: "12",
  },
  {
    rule: cond("{sender.verified: true}"),
    doing: said("hi"),
    fails: "sender.verified equals true",
    actual: "false",
  },
  {
    rule: cond("{sender.location: {exists: true}}"),
    doing: said("hi"),
    fails: "sender.location exists true",
    actual: "nothing",
  },
  {
    rule: cond("{sender.location: {contains: Berlin}}"),
    doing: said("hi"),
    fails: "sender.location contains berlin",
    actual: "nothing",
  },
  {
    rule: cond("{sender.created_at: {older_than: 7d}}"),
    doing: said("hi"),
    fails: "sender.created_at older_than 7d",
    actual: String(ANN.createdAt),
  },
  {
    rule: cond("{sender.created_at: {newer_than: 1d}}"),
    doing: said("hi"),
    fails: "sender.created_at newer_than 1d",
    actual: String(ANN.createdAt),
  },
  {
    rule: cond("{not: {message.text: {contains_word: spam}}}"),
    doing: said("spam spam"),
    fails: "not message.text contains_word spam",
    actual: '"spam spam"',
  },
  {
    rule: cond("{all: [{message.text: {contains: a}}, {sender.verified: true}]}"),
    doing: said("a"),
    fails: "sender.verified equals true",
    actual: "false",
  },
  {
    rule: cond("{message.text: {contains: hi}}, {sender.verified: true}"),
    doing: said("hi"),
    fails: "sender.verified equals true",
    actual: "false",
  },
  {
    rule: cond("{post.text: {contains_word: outage}}"),
    doing: mention("an outrage"),
    fails: "post.text contains_word outage",
    actual: '"an outrage"',
    closest: "outrage is 1 from outage",
  },
  {
    rule: cond("{post.hashtags: {contains: sale}}"),
    doing: mention("#summer"),
    fails: "post.hashtags contains sale",
    actual: '["summer"]',
  },
  {
    rule: "conditions:\n  - if: sender.id == '5'",
    doing: said("hi"),
    fails: "sender.id == '5'",
    actual: 'sender.id = "1001"',
  },
  { rule: "enabled: false", doing: said("hi"), fails: "true", actual: "false" },
  { rule: "stage: draft", doing: said("hi"), fails: "live", actual: "draft" },
  {
    rule: "max_age: 1h",
    doing: said("hi"),
    ageMs: 7_200_000,
    fails: "at most 3600 s old",
    actual: "7200",
  },
  {
    rule: "on_replay: skip",
    doing: said("hi"),
    context: { replayed: true },
    fails: "run",
    actual: "skip, and it came late",
  },
  {
    rule: "triggers: [{trigger: dm.received, direction: outbound}]",
    doing: said("hi"),
    fails: "direction: outbound",
    actual: "somebody else did it",
  },
  {
    rule: "cooldown: {per: sender, for: 10m}",
    doing: said("hi"),
    context: { read: () => NOW - 60_000 },
    fails: "once in 600 s per sender",
    actual: '"ran 60 s before"',
  },
];

describe("why a rule did not run", () => {
  it.each(CASES)("names $fails, and the actual value: $actual", (one) => {
    const { lines, closest } = why(one.rule, one.doing, one.context, one.ageMs);

    expect(lines.filter(({ state }) => state === "no")).toMatchObject([
      { wanted: one.fails, actual: one.actual },
    ]);
    const near = closest && `${closest.found} is ${closest.edits} from ${closest.wanted}`;
    expect(near).toBe(one.closest);
  });

  it("shows each piece of an any that failed, with the word that comes closest", () => {
    const { lines, closest } = why(
      cond(
        "{any: [{message.text: {contains_word: refund}}, {message.text: {matches: 'my money'}}]}",
      ),
      said("refnd please"),
    );

    expect(lines).toEqual([
      {
        where: "conditions[0].any",
        wanted: "message.text contains_word refund",
        state: "no",
        actual: '"refnd please"',
      },
      {
        where: "conditions[0].any",
        wanted: "message.text matches my money",
        state: "no",
        actual: '"refnd please"',
      },
    ]);
    expect(closest).toEqual({ found: "refnd", wanted: "refund", edits: 1 });
  });

  it("reports for a rule that ran that all its conditions held", () => {
    const { verdict, lines } = why(cond("{message.text: {contains: hi}}"), said("hi"));

    expect(verdict.outcome).toBe("ran");
    expect(lines.map(({ state }) => state)).not.toContain("no");
  });
});
