import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: strike
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: bad}}]
    actions: [{count: {name: abuse, per: sender, window: 1h}}]
  - id: warn
    triggers: [{trigger: count.reached, of: abuse, at: 1}]
    actions: [{reply: "Please, \${{ sender.name }}."}]
  - id: end
    triggers: [{trigger: count.reached, of: abuse, at: 3}]
    actions:
      - reply: That was \${{ count.value }}, \${{ size(count.events) }} kept.
      - delay: 10ms
      - reply: Number \${{ count.value }} it stays.
  - id: ticket
    triggers: [dm.received]
    conditions: [{message.text: ticket}]
    limit: {per: rule, max: 1, in: 1h}
    actions: [{reply: One ticket.}]
`;

describe("what is counted and limited", () => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({ rules: { "counting.yaml": RULES } });
    await bot.start();
  });
  afterAll(() => bot.close());

  const tell = (text: string, person: "ana" | "ben" = "ana") =>
    bot.sandbox.control.act(bot.people[person], { type: "dm", to: bot.file.bot.id, text });
  const answers = (count: number, person: "ana" | "ben" = "ana") =>
    when(async () => {
      const texts = await bot.messagesTo(person);
      return texts.length >= count ? texts : undefined;
    });

  it("a count starts rules at its numbers, once each, also when messages come at once", async () => {
    await Promise.all(["bad a", "bad b", "bad c", "bad d"].map((text) => tell(text)));
    const texts = await answers(3);
    await bot.quiet();

    expect(texts).toEqual(["Please, Ana.", "That was 3, 3 kept.", "Number 3 it stays."]);
    expect(await bot.messagesTo("ana")).toHaveLength(3);
  });

  it("a limit holds across people that write at once; who is one too many is answered in turn", async () => {
    await Promise.all([tell("ticket"), tell("ticket", "ben")]);
    const tickets = async () =>
      [...(await bot.messagesTo("ana")), ...(await bot.messagesTo("ben"))].filter(
        (text) => text === "One ticket.",
      ).length;
    await when(async () => ((await tickets()) > 0 ? true : undefined));
    await bot.quiet();
    expect(await tickets()).toBe(1);
    await bot.sandbox.control.advance(3_600_000);

    await when(async () => ((await tickets()) > 1 ? true : undefined));
    expect(await tickets()).toBe(2);
  });
});
