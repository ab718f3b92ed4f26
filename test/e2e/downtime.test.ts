import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    max_age: 48h
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
  - id: public
    triggers: [post.mentioned]
    max_age: 48h
    actions: [{reply_post: {text: "hello \${{ sender.username }}"}}]
  - id: welcome
    triggers: [user.followed]
    max_age: 48h
    actions: [{reply_dm: {text: "welcome"}}]
`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let bot: BotOnSandbox;
afterEach(() => bot.close());

/** People who write, mention and follow the bot in turn, evenly over `ms`. */
async function traffic(ms: number, rounds: number) {
  const { control } = bot.sandbox;
  const people = [bot.people.ana, bot.people.ben];
  for (let round = 1; round <= rounds; round++) {
    for (const [n, id] of people.entries()) {
      await control.act(id, { type: "dm", to: bot.file.bot.id, text: `${n}.${round}` });
      if (round === 2) await control.act(id, { type: "post", text: "@hello_bot are you open?" });
      if (round === 3) await control.act(id, { type: "follow", user_id: bot.file.bot.id });
    }
    await control.advance(ms / rounds);
  }
  return people;
}

describe("downtime", () => {
  it("of 3 hours is caught up: each person is answered once, in order", async () => {
    bot = await botOnSandbox({ rules: { "rules.yaml": RULES } });
    const { control } = bot.sandbox;
    await bot.start();
    await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "before" });
    await when(async () => ((await bot.status()).store.items.sent === 1 ? true : undefined));
    await bot.stop();
    const people = await traffic(3 * HOUR, 6);

    await bot.start();
    for (const id of people)
      await control.act(id, { type: "dm", to: bot.file.bot.id, text: "now" });
    await when(async () => {
      await control.advance(MINUTE);
      return (await bot.status()).store.items.sent === 1 + 2 * (6 + 1 + 1 + 1) ? true : undefined;
    });

    for (const [n, id] of people.entries()) {
      const texts = await bot.messagesTo(id);
      const echoes = texts.filter((text) => text.startsWith("re "));
      const missed = [1, 2, 3, 4, 5, 6].map((round) => `re ${n}.${round}`);
      expect(echoes).toEqual([...(n === 0 ? ["re before"] : []), ...missed, "re now"]);
      expect(texts.filter((text) => text === "welcome")).toHaveLength(1);
    }
  });
});
