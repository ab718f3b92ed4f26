import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";

const RULES = `version: 1
rules:
  - id: remember
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: call me}}]
    actions:
      - set: {state.sender.nick: "\${{ message.text }}", state.account.asked: true}
      - label: {add: [named]}
      - reply: Noted, \${{ state.sender.nick.orValue("?") }}
  - id: known
    triggers: [dm.received]
    conditions: [{sender.labels: {contains: named}}, {message.text: who}]
    actions:
      - reply: \${{ state.sender.nick.orValue("?") }}
      - set: {state.sender.nick: null}
      - label: {remove: [named]}
      - reply: Forgotten \${{ has(state.sender.nick) }} \${{ size(sender.labels) }}
  - id: stranger
    triggers: [dm.received]
    conditions: [{message.text: who}]
    actions: [{reply: "New: \${{ sender.is_new }}, asked: \${{ state.account.asked.orValue(false) }}"}]
`;

describe("state that rules keep", () => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({ rules: { "state.yaml": RULES } });
    await bot.start();
  });
  afterAll(() => bot.close());

  it("is seen by the steps after the one that kept it, and by later events", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("call me Captain");
    expect(await ana.answers(1)).toEqual(["Noted, call me Captain"]);
    await ana.says("who");

    expect((await ana.answers(3)).slice(1)).toEqual(["call me Captain", "Forgotten false 0"]);
  });

  it("outlives a restart, and is one person's or the account's", async () => {
    const ana = await bot.stranger("Ana");
    const ben = await bot.stranger("Ben");
    await ana.says("call me Captain");
    await ana.answers(1);
    await bot.stop();
    await bot.start();
    await ana.says("who");
    expect((await ana.answers(3))[1]).toBe("call me Captain");
    await ben.says("who");
    expect(await ben.answers(1)).toEqual(["New: true, asked: true"]);
    await ben.says("who");
    expect((await ben.answers(2)).at(-1)).toBe("New: false, asked: true");
  });
});
