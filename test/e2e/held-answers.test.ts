import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";

const RULES = `version: 1
rules:
  - id: quiz
    triggers: [dm.received]
    conditions: [{message.text: quiz}]
    actions:
      - repeat:
          for_each: [1, 2, 3, 4, 5]
          sequence:
            - ask: {text: "What is 1 + \${{ repeat.item }}?", within: 1h, on_timeout: [stop]}
            - reply_dm: Right!
      - reply_dm: The end.
  - id: add
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: add}}]
    actions:
      - reply_dm: Added!
      - set: {state.sender.last: "\${{ message.text }}"}
  - id: last
    triggers: [dm.received]
    conditions: [{message.text: last}]
    actions: [{reply_dm: "\${{ state.sender.last.orValue('nothing') }}"}]
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

async function said(...texts: readonly string[]): Promise<readonly string[]> {
  bot = await botOnSandbox({ rules: { "held.yaml": RULES } });
  await bot.start();
  for (const text of texts) {
    await bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
    await bot.quiet();
  }
  return bot.messagesTo("ana");
}

describe("an answer that is held back", () => {
  it("does not stop its run: the following steps are done", async () => {
    expect(await said("add a", "add a", "add a", "ADD A", "last")).toEqual([
      "Added!",
      "Added!",
      "Added!",
      "ADD A",
    ]);
    expect(await bot.items("held")).toMatchObject([
      { action: { text: "Added!" }, reason: expect.stringContaining("limits.equal_replies") },
    ]);
    expect((await bot.status()).store.runs).toMatchObject({ waiting: 0 });
  });
});

describe("a person who answers a run's questions", () => {
  it("gets the same text as often as the run sends it", async () => {
    expect((await said("quiz", "2", "3", "4", "5", "6")).slice(-3)).toEqual([
      "What is 1 + 5?",
      "Right!",
      "The end.",
    ]);
    expect(await bot.items("held")).toEqual([]);
  });
});
