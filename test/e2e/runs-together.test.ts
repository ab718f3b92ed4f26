import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const MINUTE = 60_000;
const rules = (say: string) => `version: 1
rules:
  - id: redeem
    triggers: [dm.received]
    mode: queued
    key: \${{ captures.code }}
    on_reload: cancel
    conditions: [{message.text: {matches: '\\b(?P<code>[A-Z]\\d+)\\b'}}]
    actions:
      - delay: 1m
      - reply_dm: ${say}
`;

vi.setConfig({ testTimeout: 120_000 });

let bot: BotOnSandbox;
afterEach(() => bot.close());

const say = (who: "ana" | "ben", text: string) =>
  bot.sandbox.control.act(bot.people[who], { type: "dm", to: bot.file.bot.id, text });
const waiting = (count: number) =>
  when(async () => {
    const { inbox, runs } = (await bot.status()).store;
    return (inbox === 0 && runs.waiting === count) || undefined;
  });
const answered = (who: "ana" | "ben", text: string) =>
  when(async () => (await bot.messagesTo(who)).includes(text) || undefined);

it("two people who send one code come one after the other, though the bot is killed between them", async () => {
  bot = await botOnSandbox({ rules: { "a.yaml": rules("done") } });
  await bot.startProcess();
  await say("ana", "A1");
  await waiting(1);
  await say("ben", "A1");
  await waiting(2);
  await bot.kill();
  await bot.startProcess();
  await bot.sandbox.control.advance(MINUTE);
  await answered("ana", "done");
  await waiting(1);

  expect(await bot.messagesTo("ben")).toEqual([]);
  await bot.kill();
  await bot.start();
  await bot.sandbox.control.advance(MINUTE);
  await answered("ben", "done");
});

it("runs that wait end at once when their rule is saved anew and says so", async () => {
  bot = await botOnSandbox({ rules: { "a.yaml": rules("one") } });
  await bot.start();
  await say("ana", "A1");
  await say("ben", "A1");
  await waiting(2);
  await writeFile(join(bot.folder, "config", "rules", "a.yaml"), rules("two"));
  await waiting(0);
  await say("ben", "A1");
  await waiting(1);
  await bot.sandbox.control.advance(MINUTE);
  await answered("ben", "two");

  expect(await bot.messagesTo("ana")).toEqual([]);
});
