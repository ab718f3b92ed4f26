import { afterEach, describe, expect, it } from "vitest";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import { makeRuleset } from "../../src/rules/ruleset.ts";
import { entries } from "../runtime/store/builders.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot } from "./world.ts";

const SHOP = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions:
      - any:
          - message.text: {contains_word: [hours, open]}
          - message.text: {contains: "when are you"}
    cooldown: {per: sender, for: 1h}
    actions:
      - set: {state.sender.asked: hours, state.sender.said: "\${{ message.text }}"}
      - reply_dm: "9 to 5"
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - id: number
        ask: {text: "Which order?", within: 15m}
      - if: steps.number.text == "0"
        then:
          - stop: no order
        else:
          - call: ./orders.ts#lookup
          - reply_dm: "It is \${{ steps.number.text }}"
  - id: off
    enabled: false
    triggers: [dm.received]
    actions: [{reply_dm: never}]
  - id: person
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions:
      - escalate: {queue: help, note: please}
      - delay: 10m
      - count: {name: humans, per: account, window: 1d}
`;

let bot: RuleBot;
afterEach(() => bot.close());

let lastId = 5000;
const says = (text: string, from = "200"): Promise<void> =>
  bot.hears(wire.message({ id: String((lastId += 1)), text, from, at: bot.now }));

describe("a trace", () => {
  it("of a person is refused with the number of events that were searched", async () => {
    bot = await ruleBot([SHOP]);
    await says("hours");
    await expect(traceOf(bot.needs, "@ben")).rejects.toMatchObject({
      message: "the bot has received nothing from @ben",
    });
    await bot.store.append(entries("100/300", 10_000));

    await expect(traceOf(bot.needs, "@ana")).rejects.toMatchObject({
      message: "nothing from @ana is among the latest 10000 events of the bot",
      hint: expect.stringContaining("by its number"),
    });
  });

  it("contains the numbers that steps add to", async () => {
    bot = await ruleBot([
      `version: 1
rules:
  - id: points
    triggers: [dm.received]
    actions:
      - increment: state.sender.score
      - increment: {state.sender.score: 4, state.account.total: 1, for: 1d}
`,
    ]);
    await says("hello");

    expect((await traceOf(bot.needs, "last")).state.after).toMatchObject([
      { name: "state.sender.score", step: "actions[0]", to: 1 },
      { name: "state.sender.score", step: "actions[1]" },
      { name: "state.account.total", step: "actions[1]" },
    ]);
  });

  it("contains the event, its delivery, each rule's verdict with its place, the run, its items and the state", async () => {
    bot = await ruleBot([SHOP]);
    await says("what are your hours?");

    const trace = await traceOf(bot.needs, "last");

    expect(trace.outcome).toEqual({
      word: "answered",
      reason: "answered by rule hours: message to @ana: 9 to 5",
    });
    expect(trace.event).toMatchObject({
      seq: 1,
      kind: "message",
      triggers: ["dm.received"],
      account: { id: "100", username: "hello_bot" },
      person: { id: "200", username: "ana" },
      text: "what are your hours?",
      source: "webhook",
      replayed: false,
    });
    expect(trace.event.fields).toMatchObject({ "message.text": "what are your hours?" });
    expect(trace.raw).toMatchObject({ for_user_id: "100" });
    expect(trace.times).toEqual({ happened: bot.now, arrived: bot.now, decided: bot.now });
    expect(trace.verdicts.map(({ ruleId, outcome }) => `${ruleId} ${outcome}`)).toEqual([
      "hours ran",
      "order skipped",
      "off skipped",
      "person no",
    ]);
    expect(trace.runs).toMatchObject([
      {
        id: "1/rule:hours",
        rule: "hours",
        ruleChanged: false,
        status: "done",
        steps: [
          { label: "actions[0]", verb: "set", state: "ok", at: { line: 11, column: 9 } },
          { label: "actions[1]", verb: "reply_dm", state: "ok", at: { line: 12 }, items: [1] },
        ],
      },
    ]);
    expect(trace.items).toMatchObject([
      { id: 1, type: "reply_dm", text: "9 to 5", status: "sent", attempts: 1 },
    ]);
    expect(trace.state.after).toMatchObject([
      { name: "cooldown of hours", to: bot.now },
      { name: "state.sender.asked", step: "actions[0]", to: "hours" },
      { name: "state.sender.said", step: "actions[0]" },
    ]);
    expect(trace.state.after[2]).not.toHaveProperty("to");
  });

  it("names the clause that failed first, and the restraint that holds a rule back", async () => {
    bot = await ruleBot([SHOP]);
    await says("hello");

    const { outcome, verdicts } = await traceOf(bot.needs, 1);

    expect(outcome.word).toBe("no-match");
    const [hours, order, off] = verdicts;
    expect(hours).toMatchObject({
      outcome: "no",
      reason: "condition",
      clause: { wanted: expect.any(String), actual: "hello" },
      at: { file: "rules/0.yaml", line: 6 },
    });
    expect(order).toMatchObject({ at: { line: 15, column: 19 }, clause: { actual: "hello" } });
    expect(off).toMatchObject({
      reason: "disabled",
      at: { line: 26, sourceLine: "    enabled: false" },
    });
  });

  it("shows until when a rule's cooldown lasts", async () => {
    bot = await ruleBot([SHOP]);
    await says("hours?");
    await bot.after(60_000);
    await says("hours?");

    const { outcome, verdicts, state } = await traceOf(bot.needs, "last");

    expect(outcome.word).toBe("cooling-down");
    expect(verdicts[0]).toMatchObject({
      reason: "cooldown",
      until: bot.now + 59 * 60_000,
      at: { line: 9 },
    });
    expect(Object.keys(state.before)).toEqual([expect.stringContaining("cooldown/hours/")]);
  });

  it("follows a conversation: the run waits for the person and accepts the answer", async () => {
    bot = await ruleBot([SHOP]);
    await says("my order");
    const trace = await traceOf(bot.needs, 1);
    await says("A1");
    const answered = await traceOf(bot.needs, 1);
    const answer = await traceOf(bot.needs, "last");

    expect(trace.outcome.word).toBe("waiting");
    expect(trace.runs[0]).toMatchObject({
      steps: [{ label: "actions[0]", verb: "ask", state: "under-way" }],
      waitsFor: [{ for: "person", name: "number", until: bot.now + 15 * 60_000 }],
    });
    expect(answered.outcome.word).toBe("answered");
    expect(answered.runs[0]?.steps.map(({ label, verb }) => `${label} ${verb}`)).toEqual([
      "actions[0] ask",
      "actions[1].else[0] call",
      "actions[1].else[1] reply_dm",
    ]);
    expect(answer.outcome).toMatchObject({
      word: "taken",
      reason: "run 1/rule:order took it as an answer",
    });
  });

  it("contains hand-overs, the events that the run waits for, and counts", async () => {
    bot = await ruleBot([SHOP]);
    await says("a human");
    const waiting = await traceOf(bot.needs, 1);
    await bot.after(11 * 60_000);
    const done = await traceOf(bot.needs, 1);

    expect(waiting.escalations).toMatchObject([{ queue: "help", note: "please" }]);
    expect(waiting.runs[0]?.waitsFor).toEqual([
      { for: "time", name: "actions[1]", until: bot.now - 60_000 },
    ]);
    expect(done.outcome).toMatchObject({
      word: "acted",
      reason: "rule person handed over to queue help (escalation 1)",
    });
    expect(done.state.after).toMatchObject([{ name: "count humans", step: "actions[2]", to: 1 }]);
  });

  it("contains a failed send", async () => {
    bot = await ruleBot([SHOP], () => "POST /messages was refused with 403: no");
    await says("hours?");

    const { outcome, items } = await traceOf(bot.needs, 1);

    expect(outcome).toMatchObject({
      word: "error",
      reason: "rule hours failed: actions[1]: no",
    });
    expect(items).toMatchObject([{ status: "failed", reason: expect.stringContaining("403") }]);
  });

  it("reports that the rules have changed since, and shows the stored data of the run", async () => {
    bot = await ruleBot([SHOP]);
    await says("hours?");
    bot.changeRules(SHOP.replace("9 to 5", "9 to 6"));

    const { decision, runs } = await traceOf(bot.needs, 1);

    expect(decision).toMatchObject({ rulesChanged: true, ran: ["hours"] });
    expect(runs[0]).toMatchObject({ ruleChanged: true });
    expect(runs[0]?.steps[1]).toEqual({
      label: "actions[1]",
      state: "ok",
      result: { message_id: expect.any(String), conversation_id: expect.any(String) },
      startedAt: bot.now,
      endedAt: bot.now,
      items: [1],
    });
  });

  it("reports a matching rule that a decision with the same rules did not start", async () => {
    bot = await ruleBot([SHOP]);
    const { revision } = bot.needs.ruleset();
    await says("hello");
    bot.changeRules(SHOP.replace("[hours, open]", "[hours, hello]"));
    const { rules } = bot.needs.ruleset();
    const { verdicts } = await traceOf(
      { ...bot.needs, ruleset: () => makeRuleset(rules, revision) },
      "last",
    );

    expect(verdicts[0]?.inWords).toBe("hours would run");
  });

  it("of a missing event is refused, with a hint where to look", async () => {
    bot = await ruleBot([SHOP]);

    await expect(traceOf(bot.needs, 7)).rejects.toMatchObject({
      message: "the journal has no event 7",
      hint: "list them with: answerback journal",
    });
  });
});

it("a message that ends a question says which run it ended", async () => {
  bot = await ruleBot([SHOP]);
  await bot.hears(wire.message({ id: "1", text: "order", at: bot.now }));
  const question = await traceOf(bot.needs, "last");
  await bot.after(1_000);
  await bot.hears(wire.message({ id: "2", text: "cancel", at: bot.now }));
  const trace = await traceOf(bot.needs, "last");

  const run = question.runs[0]?.id ?? "";
  expect(trace.decision.cancelled).toEqual([run]);
  expect(trace.outcome).toEqual({
    word: "acted",
    reason: `it ended run ${run}: the person cancelled`,
    repair: { inWords: `see answerback trace ${run}` },
  });
  const ended = await traceOf(bot.needs, String(question.event.seq));
  expect(ended.runs[0]?.inWords).toContain("the person ended it");
});
