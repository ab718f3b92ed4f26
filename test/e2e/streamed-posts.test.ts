import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import type { StreamRule } from "../../src/client/streaming/stream-rules.ts";
import { botOnSandbox, type BotFiles, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: brand
    triggers: [{trigger: post.found, query: "acme -is:retweet"}]
    actions: [{reply_post: "found: \${{ post.text }}"}]
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

async function started(way: string, files: BotFiles = {}): Promise<void> {
  bot = await botOnSandbox({
    rules: { "rules.yaml": RULES },
    settings: `search: ${way}\n`,
    ...files,
  });
}

async function posts(text: string): Promise<string> {
  return (await bot.sandbox.control.act(bot.people.ana, { type: "post", text })).id;
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

/** Resolves once the bot has published this number of posts. The clock moves by a second at each look. */
async function answered(count: number): Promise<readonly string[]> {
  return when(async () => {
    await bot.sandbox.control.advance(1_000);
    const all = await answers();
    return all.length >= count ? all : undefined;
  });
}

/** Resolves with the state of the only query once the stream brings it, or does not. */
async function query(isStreamed: boolean, why = "") {
  return when(async () => {
    const { searches, searchStream } = await bot.status();
    const [search] = searches ?? [];
    if (search === undefined || search.lastReadAt === undefined) return undefined;
    const isIt = (search.whyRecent === undefined) === isStreamed;
    return isIt && searchStream?.why.includes(why) === true ? search : undefined;
  });
}

/** Runs a task with a client of the app. */
async function asApp<T>(task: (app: ReturnType<typeof appOf>) => Promise<T>): Promise<T> {
  const app = appOf();
  try {
    return await task(app);
  } finally {
    await app.close();
  }
}
const appOf = () =>
  createClient({
    baseUrl: bot.sandbox.url,
    credentials: { type: "bearer", bearerToken: bot.file.app.bearerToken },
  });

/** Rules of the filtered stream. */
const rulesOnStream = () =>
  asApp(async (app) => {
    const rules: StreamRule[] = [];
    for await (const rule of app.filteredStream.rules()) rules.push(rule);
    return rules;
  });

const addForeign = (value: string) =>
  asApp((app) => app.filteredStream.addRules([{ value, tag: "theirs" }]));

describe("posts that the filtered stream brings", () => {
  it("are answered once each, without a search", async () => {
    await started("auto");
    await bot.start();
    await query(true);
    await bot.sandbox.control.advance(120_000);
    await bot.quiet();
    const late = await posts("acme is great");
    await bot.sandbox.control.delayInSearch(late, 3_600_000);
    await posts("something else");
    expect(await answered(1)).toEqual(["found: acme is great"]);
    await bot.sandbox.control.act(bot.file.bot.id, { type: "post", text: "acme, we said" });
    await bot.quiet();

    expect(await answers()).toEqual(["found: acme is great", "acme, we said"]);
    expect((await bot.status()).searchStream).toEqual({
      used: true,
      why: "the filtered stream is connected",
    });
    expect((await bot.journal()).filter(({ source }) => source === "search")).toHaveLength(1);
  });

  it("and those of a gap are answered once each after a kill -9", async () => {
    await started("stream");
    await bot.startProcess();
    await query(true);
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
    await query(true);
    await posts("acme four");
    await answered(4);
    await bot.sandbox.control.advance(120_000);
    await bot.quiet();

    expect(await answers()).toHaveLength(4);
    expect(await rulesOnStream()).toHaveLength(1);
  });
});
