import { afterEach, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { readScrape } from "../support/prometheus-text.ts";
import { run } from "../support/command-line.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: pong
    triggers: [{trigger: dm.received}]
    actions: [{reply_dm: pong}]
  - id: looked-up
    triggers: [{trigger: dm.received}]
    group: none
    actions:
      - lookup: {post: "1"}
        on_error: [{reply_dm: "failed: \${{ error.code }}"}]
  - id: noted
    triggers: [{trigger: post.mentioned}]
    actions: [{log: noted}]
`;
const NOW = Date.UTC(2026, 5, 20, 12);
const TO_JULY = Date.UTC(2026, 6, 1) - NOW;

let bot: BotOnSandbox;
afterEach(() => bot.close());

async function started(posts_per_month: number): Promise<void> {
  bot = await botOnSandbox({
    rules: { "rules.yaml": RULES },
    settings: "metrics: { listen: 127.0.0.1:0 }",
    sandbox: {
      clock: { now: NOW },
      settings: { limits: { enabled: true, scale: 10_000, posts_per_month } },
    },
  });
  await bot.start();
}

async function mentions(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    const text = `@${bot.file.bot.username} ${Math.random()}`;
    await bot.sandbox.control.act(bot.people.ana, { type: "post", text });
  }
}

/**
 * Waits until the bot's status shows this number of received posts. The bot reads the number from the platform as the
 * clock advances.
 */
async function used(posts: number) {
  return when(async () => {
    await bot.sandbox.control.advance(60_000);
    const { posts: month } = await bot.status();
    return month?.used === posts ? month : undefined;
  });
}

const logged = (text: string): number => bot.log().split(text).length - 1;

async function arrivedMentions(): Promise<number> {
  return (await bot.journal()).filter(({ key }) => key.startsWith("post:")).length;
}

/** Returns the printed row of the status about posts. */
async function printedRow(): Promise<string | undefined> {
  const { out } = await run(bot.folder, "status", "--config", "config/answerback.yaml");
  return /^posts .*$/m.exec(out)?.[0];
}

/** Returns the values of the metrics `answerback_month_posts` and `answerback_month_posts_cap`. */
async function metrics(): Promise<readonly (number | undefined)[]> {
  const { metrics } = await bot.status();
  const { series } = readScrape(await (await fetch(`http://${metrics?.listen}/metrics`)).text());
  return ["answerback_month_posts", "answerback_month_posts_cap"].map(
    (name) => series.find((one) => one.name === name)?.value,
  );
}

it("warns once at 80 % of the monthly post cap, and continues with messages at the cap", async () => {
  await started(5);
  expect(await used(0)).toMatchObject({ cap: 5, resetsOn: "2026-07-01" });
  await mentions(4);
  await used(4);
  await when(async () =>
    logged("4 of 5 posts received this month (80 %)") > 0 ? true : undefined,
  );
  const atCap = "no mentions, replies or searched posts arrive, and look-ups of posts fail";
  expect(logged(`, reset on 2026-07-01. At 100 %, ${atCap}; messages arrive, and`)).toBe(1);
  expect(await metrics()).toEqual([4, 5]);
  expect(await printedRow()).toBe(
    "posts      4 of 5 posts received this month (80 %), reset on 2026-07-01",
  );
  await mentions(2);
  await used(5);
  await when(async () => (logged("the monthly post cap is reached") > 0 ? true : undefined));
  await bot.sandbox.control.act(bot.people.ben, { type: "dm", to: bot.file.bot.id, text: "ping" });
  await when(async () => ((await bot.messagesTo(bot.people.ben)).length > 0 ? true : undefined));

  expect(await arrivedMentions()).toBe(5);
  expect(await metrics()).toEqual([5, 5]);
  expect(await printedRow()).toBe(
    `posts      5 of 5 posts received this month (100 %), reset on 2026-07-01: ${atCap}; messages arrive, and answers are sent`,
  );
  await bot.stop();
  await bot.start();
  await used(5);
  expect(logged("the monthly post cap is reached")).toBe(0);

  await bot.sandbox.control.advance(TO_JULY);
  await used(0);
  await mentions(1);
  await when(async () => ((await arrivedMentions()) === 6 ? true : undefined));
});

it("reads missed messages at the cap, and fails look-ups of posts at once", async () => {
  await started(0);
  await used(0);
  await bot.stop();
  const to = bot.file.bot.id;
  await bot.sandbox.control.act(bot.people.ana, { type: "dm", to, text: "hello" });
  await bot.sandbox.control.advance(60_000);
  await mentions(1);
  await bot.start();
  const texts = await when(async () => {
    const all = await bot.messagesTo(bot.people.ana);
    return all.length >= 2 ? all : undefined;
  });

  expect(texts.toSorted()).toEqual(["failed: lookup-failed", "pong"]);
  expect(await arrivedMentions()).toBe(0);
});
