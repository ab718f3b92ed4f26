import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotFiles, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: brand
    triggers: [{trigger: post.found, query: "acme -is:retweet"}]
    actions: [{reply_post: "found: \${{ post.text }}"}]
`;
/** Interval in milliseconds within which each search is read at least once. */
const ROUND = 60_000;

let bot: BotOnSandbox;
afterEach(() => bot.close());

async function started(rules = RULES, files: BotFiles = {}): Promise<void> {
  bot = await botOnSandbox({
    rules: { "rules.yaml": rules },
    settings: "search: recent\n",
    ...files,
  });
}

async function posts(text: string, in_reply_to?: string): Promise<string> {
  const { id } = await bot.sandbox.control.act(bot.people.ana, { type: "post", text, in_reply_to });
  return id;
}

/** Texts of the bot's posts, oldest first. */
async function answers(): Promise<readonly string[]> {
  const { tables } = await bot.sandbox.control.get<{
    tables: { posts: readonly { authorId: string; text: string }[] };
  }>("/state");
  return tables.posts
    .filter(({ authorId }) => authorId === bot.file.bot.id)
    .map(({ text }) => text.replace(/^@\w+ /, ""));
}

/** Waits until the bot has published this number of posts, and returns their texts. */
async function answered(count: number): Promise<readonly string[]> {
  return when(async () => {
    await bot.sandbox.control.advance(1_000);
    const all = await answers();
    return all.length >= count ? all : undefined;
  });
}

/** Waits until every query has been read again. */
async function searched(): Promise<void> {
  const { now } = await bot.status();
  await when(async () => {
    await bot.sandbox.control.advance(ROUND);
    const { searches } = await bot.status();
    return searches?.every(({ lastReadAt }) => (lastReadAt ?? "") > now) === true
      ? true
      : undefined;
  });
  await bot.quiet();
}

describe("posts that a search finds", () => {
  it("are answered once each, except posts from before the first use and the bot's own posts", async () => {
    await started();
    await posts("acme before");
    await bot.start();
    await searched();
    await posts("acme is great");
    expect(await answered(1)).toEqual(["found: acme is great"]);
    await bot.sandbox.control.act(bot.file.bot.id, { type: "post", text: "acme, we said" });
    await posts("something else");
    await searched();

    expect(await answers()).toEqual(["found: acme is great", "acme, we said"]);
    const entries = (await bot.journal()).filter(({ source }) => source === "search");
    expect(entries.map(({ key }) => key)).toEqual([expect.stringMatching(/^post:\d+$/)]);
  });

  it.each([
    { store: "a folder", shared: false },
    { store: "a database", shared: true },
  ])("are caught up after a downtime and a kill -9, once each, with $store", async ({ shared }) => {
    await started(RULES, { shared });
    await bot.startProcess();
    await searched();
    await posts("acme one");
    await answered(1);
    await bot.kill();
    await posts("acme two");
    await bot.sandbox.control.advance(3_600_000);
    await posts("acme three");
    await bot.startProcess();

    expect((await answered(3)).toSorted()).toEqual([
      "found: acme one",
      "found: acme three",
      "found: acme two",
    ]);
    await searched();
    expect(await answers()).toHaveLength(3);
  });

  it("that appear later than newer posts are answered once each", async () => {
    await started();
    await bot.start();
    await searched();
    const late = await posts("acme late");
    await bot.sandbox.control.delayInSearch(late, 2 * ROUND);
    await posts("acme newer");
    expect(await answered(1)).toEqual(["found: acme newer"]);

    expect(await answered(2)).toEqual(["found: acme newer", "found: acme late"]);
    await searched();
    await searched();
    expect(await answers()).toHaveLength(2);
  });

  it("are named as lost if they are older than seven days", async () => {
    await started();
    await bot.start();
    await searched();
    const { now } = await bot.status();
    await bot.stop();
    await posts("acme lost");
    await bot.sandbox.control.advance(8 * 24 * 3_600_000);
    await bot.start();
    const lost = await when(async () => (await bot.status()).searches?.[0]?.lost);
    await bot.quiet();

    expect(lost.from <= now).toBe(true);
    expect(Date.parse(lost.to) - Date.parse(now)).toBeGreaterThan(24 * 3_600_000 - 1);
    await bot.logged("posts may be lost: search reaches back seven days");
    expect(await answers()).toEqual([]);
  });

  it("and that mention the bot are acted on once, by a rule of either trigger", async () => {
    await started(`version: 1
rules:
  - id: help
    triggers: [post.mentioned]
    conditions: [{post.text: {contains_word: help}}]
    actions: [{reply_post: "helped"}]
  - id: brand
    triggers: [{trigger: post.found, query: "acme"}]
    actions: [{reply_post: "found: \${{ post.text }}"}]
`);
    await bot.start();
    await searched();
    await posts("@hello_bot acme help");
    await answered(1);
    await posts("@hello_bot acme is great");

    expect(await answered(2)).toEqual(["helped", "found: acme is great"]);
    await searched();
    expect(await answers()).toHaveLength(2);
  });
});
