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

describe("counts and limits", () => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({ rules: { "counting.yaml": RULES } });
    await bot.start();
  });
  afterAll(() => bot.close());

  it("a count starts each rule once at its number, also if messages arrive at the same time", async () => {
    const ana = await bot.stranger("Ana");
    await Promise.all(["bad a", "bad b", "bad c", "bad d"].map((text) => ana.says(text)));
    const texts = await ana.answers(3);
    await bot.quiet();

    expect(texts).toEqual(["Please, Ana.", "That was 3, 3 kept.", "Number 3 it stays."]);
    expect(await bot.messagesTo(ana.id)).toHaveLength(3);
  });

  it("a limit applies across people who write at once; a person above it is answered later", async () => {
    const both = [await bot.stranger("Ana"), await bot.stranger("Ben")];
    await Promise.all(both.map((person) => person.says("ticket")));
    const tickets = async () =>
      (await Promise.all(both.map(({ id }) => bot.messagesTo(id)))).flat().length;
    await when(async () => ((await tickets()) > 0 ? true : undefined));
    await bot.quiet();
    expect(await tickets()).toBe(1);
    await bot.sandbox.control.advance(3_600_000);

    await when(async () => ((await tickets()) > 1 ? true : undefined));
    expect(await tickets()).toBe(2);
  });
});
