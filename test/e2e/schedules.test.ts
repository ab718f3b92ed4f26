import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { UNLIMITED } from "../support/unlimited.ts";
import { when } from "../support/when.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const rules = (cron: string) => `version: 1
rules:
  - id: morning
    triggers: [{trigger: schedule, cron: "${cron}", zone: UTC}]
    actions:
      - create_post: Good morning on \${{ event.time }}
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

/** Waits until there are `count` published posts and the bot is idle. Returns the posts, oldest first. */
const posted = (count: number): Promise<string[]> =>
  when(async () => {
    const items = await bot.items("sent");
    if (items.length < count) return undefined;
    await bot.quiet();
    return (await bot.items("sent"))
      .toReversed()
      .map(({ action }) => (action.type === "create_post" ? (action.text ?? "") : action.type));
  });

it("a schedule posts once a moment, over moves of the clock, kill -9 and a change of its rule", async () => {
  bot = await botOnSandbox({
    rules: { "morning.yaml": rules("0 9 * * *") },
    sandbox: { settings: { limits: UNLIMITED }, clock: { now: Date.UTC(2026, 2, 2, 8) } },
  });
  const { control } = bot.sandbox;
  await bot.startProcess();

  await control.advance(DAY);
  expect(await posted(1)).toEqual(["Good morning on 2026-03-02T09:00:00.000Z"]);

  // after a downtime, only the last missed time is made up for, and only if it is at most an hour ago
  await bot.kill();
  await control.advance(DAY + HOUR + HOUR / 2);
  await bot.startProcess();
  expect(await posted(2)).toEqual([
    "Good morning on 2026-03-02T09:00:00.000Z",
    "Good morning on 2026-03-04T09:00:00.000Z",
  ]);
  await bot.kill();
  await bot.start();

  await writeFile(join(bot.folder, "config", "rules", "morning.yaml"), rules("0 12 * * *"));
  await when(async () => ((await bot.ask("reload", {})).revision ? true : undefined));
  await control.advance(4 * HOUR);
  expect(await posted(3)).toEqual([
    "Good morning on 2026-03-02T09:00:00.000Z",
    "Good morning on 2026-03-04T09:00:00.000Z",
    "Good morning on 2026-03-04T12:00:00.000Z",
  ]);
});
