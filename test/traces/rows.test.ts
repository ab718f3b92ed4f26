import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import { traceRows } from "../../src/insight/traces/rows.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot, START } from "./world.ts";

const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    cooldown: {per: sender, for: 1h}
    actions: [{reply_dm: "9 to 5"}]
  - id: slow
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: slow}}]
    actions: [{delay: 1h}, {reply_dm: done}]
  - id: person
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions: [{escalate: {queue: help}}]
`;

let bot: RuleBot;
beforeEach(async () => {
  bot = await ruleBot([RULES]);
});
afterEach(() => bot.close());

const says = async (id: number, text: string, from = "200"): Promise<void> => {
  await bot.hears(wire.message({ id: String(id), text, from, at: bot.now }));
  await bot.after(1_000);
};

describe("the list of traces", () => {
  beforeEach(async () => {
    await says(1, "Hours?");
    await says(2, "hours, again");
    await says(3, "Slow", "300");
    await says(4, "hello", "300");
    await bot.hears(wire.typing());
    await bot.hears(wire.message({ id: "9", from: "100", to: "200", text: "I am the bot" }));
  });

  it("contains each event with its outcome, newest first, in the same words as its trace", async () => {
    const { rows, next } = await traceRows(bot.needs);

    expect(rows.map(({ text, outcome }) => [text, outcome.word])).toEqual([
      ["I am the bot", "own"],
      [undefined, "no-rule"],
      ["hello", "no-match"],
      ["Slow", "waiting"],
      ["hours, again", "cooling-down"],
      ["Hours?", "answered"],
    ]);
    expect(next).toBeUndefined();
    for (const { seq, outcome } of rows) {
      expect((await traceOf(bot.needs, seq)).outcome.word).toBe(outcome.word);
    }
    const waiting = rows.find(({ outcome }) => outcome.word === "waiting");
    expect(waiting?.outcome).toEqual((await traceOf(bot.needs, waiting?.seq ?? 0)).outcome);
    expect(waiting?.outcome.reason).toMatch(/ until 2026-03-02T10:\S+Z \(59 min \d+ s\)$/);
    expect(rows.at(-1)).toMatchObject({
      person: { id: "200", username: "ana" },
      rules: ["hours"],
      items: 1,
      arrived: START,
      settled: START,
    });
  });

  it("names the hand-over of a run that said nothing", async () => {
    await says(5, "a human, please", "400");
    await says(6, "a human, now", "500");
    const { rows } = await traceRows(bot.needs, { rule: "person" });

    expect(rows.map(({ outcome }) => outcome)).toEqual([
      expect.objectContaining({ reason: "rule person handed over to queue help (escalation 2)" }),
      expect.objectContaining({ reason: "rule person handed over to queue help (escalation 1)" }),
    ]);
    for (const { seq, outcome } of rows) {
      expect((await traceOf(bot.needs, seq)).outcome).toEqual(outcome);
    }
  });

  it.each([
    [{ outcomes: ["answered", "waiting"] as const }, ["Slow", "Hours?"]],
    [{ rule: "slow" }, ["Slow"]],
    [{ person: "@Ben" }, ["hello", "Slow"]],
    [{ person: "300", text: "HELL" }, ["hello"]],
    [{ person: "300", text: "ｈｅｌｌ" }, ["hello"]],
    [{ from: START + 1_000, to: START + 2_000 }, ["Slow", "hours, again"]],
    [{ rule: "nobody" }, []],
  ])("is filtered by %j", async (query, texts) => {
    const { rows } = await traceRows(bot.needs, query);
    expect(rows.map(({ text }) => text)).toEqual(texts);
  });

  it("is returned in pages, each of which continues after the last one", async () => {
    const first = await traceRows(bot.needs, { limit: 4 });
    const second = await traceRows(bot.needs, { limit: 4, before: first.next ?? 0 });

    expect(first.rows.at(-1)?.text).toBe("Slow");
    expect(second.rows.map(({ text }) => text)).toEqual(["hours, again", "Hours?"]);
    expect(second).not.toHaveProperty("next");
  });
});
