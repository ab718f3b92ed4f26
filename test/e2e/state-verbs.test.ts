import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

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

  const tell = (text: string, person: string = bot.people.ana) =>
    bot.sandbox.control.act(person, { type: "dm", to: bot.file.bot.id, text });
  const answers = (count: number, person: "ana" | "ben" = "ana") =>
    when(async () => {
      const texts = await bot.messagesTo(person);
      return texts.length >= count ? texts : undefined;
    });

  it("is seen by the steps after the one that kept it, and by later events", async () => {
    await tell("call me Captain");
    expect(await answers(1)).toEqual(["Noted, call me Captain"]);
    await tell("who");

    expect((await answers(3)).slice(1)).toEqual(["call me Captain", "Forgotten false 0"]);
  });

  it("outlives a restart, and is one person's or the account's", async () => {
    await tell("who");
    expect((await answers(4)).at(-1)).toBe("New: false, asked: true");
    await bot.stop();
    await bot.start();
    await tell("who", bot.people.ben);

    expect(await answers(1, "ben")).toEqual(["New: true, asked: true"]);
    await tell("who", bot.people.ben);
    expect((await answers(2, "ben")).at(-1)).toBe("New: false, asked: true");
  });
});
