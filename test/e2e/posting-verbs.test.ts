import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ActionType } from "../../src/actions/actions.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { Answers } from "../../src/runtime/control/contract.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: long
    triggers: [dm.received]
    conditions: [{message.text: long}]
    actions:
      - typing: 10ms
      - reply: {options: [{text: "\${{ message.text }} ${"This is a sentence. ".repeat(600)}"}]}
      - reply: That was all.
  - id: news
    triggers: [dm.received]
    conditions: [{message.text: news}]
    actions:
      - create_post: "News, asked for by \${{ sender.id }}"
      - unfollow
      - mute
      - block: \${{ sender.id }}
  - id: poll
    allow: [private-to-public]
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: poll}}]
    actions:
      - id: asked
        create_post:
          text: "Which soup? ${"There are three. ".repeat(20)}"
          poll: {options: [Tomato, Lentil, "\${{ message.text.truncate(25) }}"], duration: 90m}
          reply_settings: mentionedUsers
          long: thread
      - reply_dm: "\${{ steps.asked.ids }}"
  - id: share
    triggers: [post.mentioned]
    actions: [repost, {quote: Well said.}, {reply: Thank you!}]
`;

describe("the verbs for messages, posts and people", () => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({ rules: { "verbs.yaml": RULES } });
    await bot.start();
  });
  afterAll(() => bot.close());

  const sent = (...types: ActionType[]): Promise<Answers["outbox"]> =>
    when(async () => {
      const items = await bot.items("sent");
      const sentItems = types.map((type) => items.find(({ action }) => action.type === type));
      return sentItems.every((item) => item !== undefined) ? sentItems : undefined;
    });

  it("send a long message in parts that end with a sentence, and later answers after them", async () => {
    const writer = await bot.stranger("Writer");
    await writer.says("long");
    const texts = await writer.answers(3);

    expect(texts).toHaveLength(3);
    expect(texts[0]?.startsWith("long This is a sentence.")).toBe(true);
    expect(texts[0]?.endsWith("sentence.")).toBe(true);
    expect(texts[1]?.endsWith("sentence.")).toBe(true);
    expect(texts[2]).toBe("That was all.");
  });

  it("publish a post, and leave, mute and block a person", async () => {
    const reader = await bot.stranger("Reader");
    await reader.says("news");
    const [post] = await sent("create_post", "unfollow", "mute", "block");

    expect(post?.action).toMatchObject({ text: `News, asked for by ${reader.id}` });
    expect(post?.platformId).toMatch(/^\d+$/);
    expect(post?.lane).toBe(`${bot.file.bot.id}/${bot.file.bot.id}`);
  });

  it("publish a poll in the first post of a thread, with reply settings", async () => {
    const asker = await bot.stranger("Asker");
    await asker.says("poll: Pumpkin");
    const [answer = ""] = await asker.answers(1);
    const [first = "", second = ""] = answer.split(", ");
    const client = createClient({
      baseUrl: bot.sandbox.url,
      credentials: { type: "bearer", bearerToken: bot.file.app.bearerToken },
    });
    const fields = {
      postFields: ["attachments", "reply_settings"],
      expansions: ["attachments.poll_ids"],
      pollFields: ["duration_minutes", "options"],
    } as const;
    const { data, includes } = await client.posts.get(first, fields);
    const further = await client.posts.get(second, fields);

    expect(data).toMatchObject({ reply_settings: "mentionedUsers" });
    expect(includes?.polls).toMatchObject([
      {
        duration_minutes: 90,
        options: [{ label: "Tomato" }, { label: "Lentil" }, { label: "poll: Pumpkin" }],
      },
    ]);
    expect(further.includes?.polls ?? []).toEqual([]);
  });

  it("repost, quote and answer the post that mentions the account", async () => {
    const text = `@${bot.file.bot.username} is great`;
    const { id } = await bot.sandbox.control.act(bot.people.ben, { type: "post", text });
    const [repost, quote, reply] = await sent("repost", "quote", "reply_post");

    expect([repost?.action, quote?.action]).toMatchObject([{ postId: id }, { postId: id }]);
    expect(reply?.action).toMatchObject({ inReplyTo: id, text: "Thank you!" });
  });
});
