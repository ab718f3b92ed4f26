import { afterEach, describe, expect, it } from "vitest";
import { sequenceOf } from "../../src/console/sequence/sequence.ts";
import { NO_EXCHANGES } from "../../src/console/sequence/trace-exchanges.ts";
import { traceOf } from "../../src/insight/traces/trace-of.ts";
import * as wire from "../support/wire.ts";
import { ruleBot, type RuleBot } from "./world.ts";

const SHOP = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - id: size
        ask: {text: "Which size?", within: 15m, expect: {in: [small, large]}}
      - reply_dm: "A \${{ steps.size.choice }} one."
`;

let bot: RuleBot;
afterEach(() => bot.close());

let lastId = 7000;
const says = (text: string): Promise<void> =>
  bot.hears(wire.message({ id: String((lastId += 1)), text, from: "200", at: bot.now }));

describe("an invalid answer to a question", () => {
  it("is shown as refused in its own trace, with the expected answer", async () => {
    bot = await ruleBot([SHOP]);
    await says("I order");
    await bot.after(60_000);
    await says("huge");

    const { outcome, decision } = await traceOf(bot.needs, "last");

    expect(decision).toMatchObject({
      takenBy: "1/rule:order",
      refused: { question: "size", wanted: "message.text in small|large" },
    });
    expect(outcome).toMatchObject({
      word: "taken",
      reason:
        'refused as an answer to size (1/rule:order): it wants message.text in small|large, the message is "huge"',
    });
  });

  it("is not shown as refused if the question accepts it", async () => {
    bot = await ruleBot([SHOP]);
    await says("I order");
    await says("LARGE");

    const { outcome, decision } = await traceOf(bot.needs, "last");

    expect(decision.refused).toBeUndefined();
    expect(outcome).toMatchObject({
      word: "taken",
      reason: "run 1/rule:order took it as an answer",
    });
  });

  it("is shown as refused each time that the question is asked again", async () => {
    bot = await ruleBot([SHOP.replace("within: 15m", "within: 15m, retries: 1")]);
    await says("I order");
    await says("huge");
    const { outcome } = await traceOf(bot.needs, "last");
    await says("small");

    expect(outcome.reason).toContain("refused as an answer to size");
    expect((await traceOf(bot.needs, "last")).decision.refused).toBeUndefined();
  });

  it("ends the run after the question in the sequence, if it ends the run", async () => {
    bot = await ruleBot([SHOP]);
    await says("I order");
    await bot.after(60_000);
    await says("huge");

    const rows = sequenceOf(await traceOf(bot.needs, 1), NO_EXCHANGES).filter(
      ({ isWait }) => isWait !== true,
    );

    expect(rows.map(({ label }) => label)).toEqual([
      "I order",
      "delivered",
      "order ran",
      "message to @ana: Which size?",
      "Which size?",
      "ask failed",
    ]);
    expect(rows.at(-1)).toMatchObject({ second: "no answer was what was asked for" });
  });
});
