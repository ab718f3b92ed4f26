import { writeFile } from "node:fs/promises";
import { join } from "node:path";
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

/** Waits until the bot has published this number of posts. The clock advances by a second at each attempt. */
async function answered(count: number): Promise<readonly string[]> {
  return when(async () => {
    await bot.sandbox.control.advance(1_000);
    const all = await answers();
    return all.length >= count ? all : undefined;
  });
}

/**
 * Waits until the only query is read from the stream (or, with `isStreamed` false, by recent search), and returns its
 * status.
 */
async function query(isStreamed: boolean, why = "") {
  return when(async () => {
    const { searches, searchStream } = await bot.status();
    const [search] = searches ?? [];
    if (search === undefined || search.lastReadAt === undefined) return undefined;
    const isIt = (search.whyRecent === undefined) === isStreamed;
    return isIt && searchStream?.why.includes(why) === true ? search : undefined;
  });
}

/** Changes the bot's rules. */
async function writeRules(text: string): Promise<void> {
  await writeFile(join(bot.folder, "config", "rules", "rules.yaml"), text);
  await bot.ask("reload", {});
}

/** Runs a task with a client that has the app's token. */
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

  it.each([
    { store: "a folder", shared: false },
    { store: "a database", shared: true },
  ])(
    "and those of a gap are answered once each after a kill -9, with $store",
    async ({ shared }) => {
      await started("stream", { shared });
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
    },
  );

  it("and that mention the bot are one event, with the webhook's delivery", async () => {
    await started("stream");
    await bot.start();
    await query(true);
    const id = await posts("@hello_bot acme is great");
    expect(await answered(1)).toEqual(["found: acme is great"]);
    await bot.sandbox.control.advance(120_000);
    await bot.quiet();

    expect(await answers()).toHaveLength(1);
    const keys = (await bot.journal()).map(({ key }) => key);
    expect(keys.filter((key) => key === `post:${id}`)).toHaveLength(1);
  });

  it("while it is down are read by search, and one brings both once it is back", async () => {
    await started("stream");
    await bot.start();
    await query(true);
    const fault = await bot.sandbox.control.addFault({
      match: { direction: "request", path: "/2/posts/search/stream" },
      fault: { type: "status", status: 503 },
      when: { always: true },
    });
    await bot.sandbox.control.strikeStreams({ type: "cut" });
    await query(false, "not connected");
    await posts("acme while it is down");
    expect(await answered(1)).toEqual(["found: acme while it is down"]);
    await bot.sandbox.control.clearFaults(fault);
    await query(true);
    await posts("acme again");
    await answered(2);
    await bot.sandbox.control.advance(120_000);
    await bot.quiet();

    expect(await answers()).toHaveLength(2);
  });
});

describe("the connection to the filtered stream", () => {
  it("is renewed without backfill on a plan that has none", async () => {
    await started("stream");
    await bot.start();
    await query(true);
    await bot.sandbox.control.addFault({
      match: { direction: "request", path: "/2/posts/search/stream" },
      fault: { type: "status", status: 400 },
      when: { next: 1 },
    });
    await bot.sandbox.control.strikeStreams({ type: "cut" });
    await posts("acme while it is down");
    await query(false, "not connected");
    await query(true);

    expect(await answered(1)).toEqual(["found: acme while it is down"]);
    const urls = (await bot.sandbox.control.exchanges()).map(({ url }) => url);
    const opened = urls.filter((url) => url.startsWith("/2/posts/search/stream?"));
    expect(opened.map((url) => url.includes("backfill_minutes"))).toEqual([false, true, false]);
  });
});

describe.each(["stream", "recent"])("posts that come by %s", (way) => {
  it("are an event of each account that searches for them, in the tweet dialect, too", async () => {
    await started(way, {
      settings: `search: ${way}
accounts: [hello_bot, shop_bot]
platform: {dialect: tweet}
`,
      rules: {
        "rules.yaml": `version: 1
rules:
  - id: brand
    triggers: [{trigger: post.found, query: "acme"}]
    actions: [{log: "found"}]
  - id: shop
    account: shop_bot
    triggers: [{trigger: post.found, query: "acme shoes"}, {trigger: post.found, query: "boots"}]
    actions: [{log: "found for the shop"}]
`,
      },
    });
    await bot.start();
    await when(async () => {
      const { searches = [] } = await bot.status();
      const isStreamed = way === "stream";
      return searches.length === 4 &&
        searches.every(
          ({ lastReadAt, whyRecent }) =>
            lastReadAt !== undefined && (whyRecent === undefined) === isStreamed,
        )
        ? searches
        : undefined;
    });
    const both = await posts("acme shoes");
    const one = await posts("boots");
    await bot.sandbox.control.act(bot.file.bot.id, { type: "post", text: "acme of ours" });
    const entries = await when(async () => {
      await bot.sandbox.control.advance(1_000);
      const all = (await bot.journal()).filter(({ source }) => source === "search");
      return all.length >= 3 ? all : undefined;
    });
    await bot.sandbox.control.advance(120_000);
    await bot.quiet();

    const shop = (await bot.status()).accounts.find(({ username }) => username === "shop_bot")?.id;
    const foundKeys = entries.map(({ account, key }) => `${account} ${key}`).toSorted();
    expect(foundKeys).toEqual(
      [`${bot.file.bot.id} post:${both}`, `${shop} post:${both}`, `${shop} post:${one}`].toSorted(),
    );
    expect((await bot.journal()).filter(({ source }) => source === "search")).toHaveLength(3);
  });
});

describe("the rules of the filtered stream", () => {
  it("of other programs stay, and the bot's follow its rules", async () => {
    await started("stream");
    await addForeign("shoes");
    await bot.start();
    await query(true);
    expect(await rulesOnStream()).toMatchObject([
      { value: "shoes", tag: "theirs" },
      { value: "acme -is:retweet", tag: expect.stringMatching(/^answerback:/) },
    ]);
    await posts("shoes");
    await writeRules(RULES.replace("acme -is:retweet", "boots"));
    await when(async () => {
      const values = (await rulesOnStream()).map(({ value }) => value);
      return values.join() === "shoes,boots" ? values : undefined;
    });
    await query(true);
    await posts("boots");

    expect(await answered(1)).toEqual(["found: boots"]);
  });

  it("of other programs keep the bot off the stream if it may choose", async () => {
    await started("auto");
    await addForeign("shoes");
    await bot.start();
    await query(false, "other programs have rules");
    await posts("acme is great");

    expect(await answered(1)).toEqual(["found: acme is great"]);
    expect(await rulesOnStream()).toMatchObject([{ value: "shoes" }]);
    expect(await bot.sandbox.control.streams()).toEqual([]);
  });

  it("with the bot's own query leave it to recent search", async () => {
    await started("stream");
    await addForeign("acme -is:retweet");
    await bot.start();
    const { whyRecent } = await query(false, "accepts none");
    await posts("acme is great");

    expect(whyRecent).toBe("the filtered stream has this query as a rule of another program");
    expect(await answered(1)).toEqual(["found: acme is great"]);
  });

  it("of the bot go when the setting does without the stream", async () => {
    const env: Record<string, string> = {};
    await started("stream", { env });
    await bot.start();
    await query(true);
    await bot.stop();
    expect(await rulesOnStream()).toHaveLength(1);
    env["ANSWERBACK_SEARCH"] = "recent";
    await bot.start();
    await query(false, "the setting search is recent");

    await when(async () => ((await rulesOnStream()).length === 0 ? true : undefined));
  });

  it("are not there where the platform has no stream, and the bot searches", async () => {
    await started("auto");
    await bot.sandbox.control.addFault({
      match: { direction: "request", path: "/2/posts/search/stream/rules" },
      fault: { type: "status", status: 404 },
      when: { always: true },
    });
    await bot.start();
    await query(false, "404");
    await posts("acme is great");

    expect(await answered(1)).toEqual(["found: acme is great"]);
  });

  it("exist only for queries that the stream has operators for", async () => {
    await started("stream", {
      rules: { "rules.yaml": RULES.replace("acme -is:retweet", "acme min_likes:0") },
    });
    await bot.start();
    const { whyRecent } = await query(false, "accepts none");
    await posts("acme is great");

    expect(whyRecent).toBe("the filtered stream has no operator min_likes:");
    expect(await answered(1)).toEqual(["found: acme is great"]);
  });
});
