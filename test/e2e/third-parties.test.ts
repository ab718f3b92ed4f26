import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

/** Display name that contains a mention and a link. */
const NAME = "@ana example.com";
const RULES = `version: 1
rules:
  - id: name
    triggers: [post.mentioned]
    conditions: [{post.text: name}]
    actions: [{reply: "Hello \${{ sender.name }}!"}]
  - id: variable
    triggers: [post.mentioned]
    conditions: [{post.text: variable}]
    variables: {who: "\${{ sender.name.upper() }}"}
    actions: [{reply: "Hello \${{ vars.who }}!"}]
  - id: captured
    triggers: [post.mentioned]
    conditions: [{post.text: {matches: "captured (?<said>.+)"}}]
    actions: [{reply: "You said \${{ captures.said }}"}]
  - id: quoted
    triggers: [post.quoted]
    actions: [{quote: "They said \${{ post.text }}"}]
  - id: asked
    triggers: [post.mentioned]
    conditions: [{post.text: asked}]
    actions:
      - reply: And?
      - {id: said, wait_for: {trigger: post.replied, within: 1h, on_timeout: [stop]}}
      - create_post: "It is \${{ steps.said.text }}"
  - id: keep
    triggers: [post.mentioned]
    conditions: [{post.text: keep}]
    actions: [{set: {state.account.winner: "\${{ sender.name }}"}}]
  - id: kept
    triggers: [post.mentioned]
    conditions: [{post.text: kept}]
    actions: [{reply: "The winner is \${{ state.account.winner.orValue('nobody') }}"}]
  - id: hold
    triggers: [post.mentioned]
    conditions: [{post.text: hold}]
    actions: [{reply: {text: "Hello \${{ sender.name }}!", third_parties: hold}}]
  - id: allow
    triggers: [post.mentioned]
    conditions: [{post.text: allow}]
    actions: [{reply: {text: "Hello \${{ sender.name }}!", third_parties: allow}}]
  - id: own
    triggers: [post.mentioned]
    conditions: [{post.text: own}]
    actions: [{reply: "@\${{ sender.username }}, ask @ana, or see https://shop.example/\${{ sender.id }}"}]
`;

interface Shown {
  readonly id: string;
  readonly authorId: string;
  readonly text: string;
}

let bot: BotOnSandbox;
let client: Client<"oauth1">;
let stranger: string;
beforeAll(async () => {
  bot = await botOnSandbox({ rules: { "public.yaml": RULES } });
  stranger = await bot.sandbox.control.user("winner", { name: NAME });
  const { bot: own, app } = bot.file;
  const tokens = await bot.sandbox.control.tokens(own.id, app.id);
  client = createClient({
    baseUrl: bot.sandbox.url,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumerKey,
      consumerSecret: app.consumerSecret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
  await bot.start();
});
afterAll(async () => {
  await client.close();
  await bot.close();
});

let knownIds = new Set<string>();
beforeEach(async () => {
  knownIds = new Set((await ownPosts()).map(({ id }) => id));
});

async function ownPosts(): Promise<readonly Shown[]> {
  const { tables } = await bot.sandbox.control.get<{ tables: { posts: readonly Shown[] } }>(
    "/state",
  );
  return tables.posts.filter(({ authorId }) => authorId === bot.file.bot.id);
}

/** Waits for the next post of the bot. */
async function published(): Promise<Shown> {
  return when(async () => (await ownPosts()).find(({ id }) => !knownIds.has(id)));
}

function mention(text: string): Promise<{ readonly id: string }> {
  return bot.sandbox.control.act(stranger, {
    type: "post",
    text: `@${bot.file.bot.username} ${text}`,
  });
}

/**
 * Returns the mentions and links that the platform finds in a post. The handles before its text, from the thread, are
 * left out.
 */
async function namesIn({ id, text }: Shown): Promise<readonly string[]> {
  const { data } = await client.posts.get(id, { postFields: ["entities"] });
  const { mentions = [], urls = [] } = data.entities ?? {};
  const from = data.text.indexOf(text.slice(0, 5));
  return [...mentions, ...urls]
    .filter(({ start }) => start >= from)
    .map((one) => ("username" in one ? `@${one.username}` : (one.expanded_url ?? one.url)));
}

describe("a mention or link that another person brings into a public text", () => {
  it.each([
    { what: "the name", says: "name", text: "Hello @ana example.com!" },
    { what: "a variable made of it", says: "variable", text: "Hello @ANA EXAMPLE.COM!" },
    {
      what: "what a pattern took in",
      says: "captured https://example.com/x for @ben",
      text: "You said https://example.com/x for @ben",
    },
  ])("has no effect, and reads as it was: $what", async ({ says, text }) => {
    await mention(says);
    const post = await published();

    expect(post.text.replaceAll("\u2060", "")).toBe(text);
    expect(await namesIn(post)).toEqual([]);
  });

  // in a text that the platform delivers, a link that was typed without a scheme has one
  it("has none in a quote, by the words that quote the bot", async () => {
    const { id } = await bot.sandbox.control.act(bot.file.bot.id, { type: "post", text: "news" });
    knownIds.add(id);
    await bot.sandbox.control.act(stranger, {
      type: "post",
      text: "see @ben, example.com",
      quote_of: id,
    });
    const post = await published();

    expect(await namesIn(post)).not.toContain("@ben");
    expect(post.text.replaceAll("\u2060", "")).toContain("They said see @ben, http://example.com");
  });

  it("has none in what a person answered, which is published later", async () => {
    await mention("asked");
    const question = await published();
    knownIds.add(question.id);
    await bot.sandbox.control.act(stranger, {
      type: "post",
      text: "@ben and example.com",
      in_reply_to: question.id,
    });
    const post = await published();

    expect(post.text.replaceAll("\u2060", "")).toBe("It is @ben and http://example.com");
    expect(await namesIn(post)).toEqual([]);
  });

  it("has none in what was kept of a person, when another event publishes it", async () => {
    await mention("keep");
    await bot.quiet();
    const { id } = await bot.sandbox.control.act(bot.people.ben, {
      type: "post",
      text: `@${bot.file.bot.username} kept`,
    });
    expect(id).not.toBe("");
    const post = await published();

    expect(post.text.replaceAll("\u2060", "")).toBe("The winner is @ana example.com");
    expect(await namesIn(post)).toEqual([]);
  });

  it("is told in the outbox", async () => {
    await mention("name");
    const post = await published();
    const item = await when(async () => {
      const items = await bot.items("sent");
      return items.find(({ platformId }) => platformId === post.id);
    });
    expect(item.action).toMatchObject({ brought: ["@ana", "example.com"] });
  });

  it("holds the answer where the rule asks for it, with a reason", async () => {
    await mention("hold");
    const [item] = await when(async () => {
      const held = await bot.items("held");
      return held.length === 1 ? held : undefined;
    });
    expect(item?.reason).toBe(
      "names others, by what a person wrote: @ana, example.com (third_parties: hold)",
    );
    await bot.ask("retryItem", { id: item?.id ?? 0, anyway: false });
    const post = await published();

    expect(post.text).toBe("Hello @ana example.com!");
  });

  it("has its effect where the rule allows it", async () => {
    await mention("allow");
    const post = await published();

    expect(await namesIn(post)).toContain("@ana");
  });
});

describe("a mention or link that the rule's author wrote", () => {
  it("has its effect, and so has the handle of the person who is answered", async () => {
    await mention("own");
    const post = await published();

    expect(await namesIn(post)).toEqual(
      expect.arrayContaining(["@winner", "@ana", `https://shop.example/${stranger}`]),
    );
  });
});
