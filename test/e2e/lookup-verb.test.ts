import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";

const rules = `version: 1
rules:
  - id: person
    triggers: [dm.received]
    conditions: [{message.text: me}]
    actions:
      - id: who
        lookup: {user: "\${{ sender.id }}", fields: [created_at, followers_count, pinned_post_id]}
      - reply: "\${{ steps.who.result.name }} \${{ steps.who.result.followers_count }} \${{ steps.who.result.created_at == sender.created_at }} \${{ has(steps.who.result.pinned_post_id) }}"
  - id: by-name
    triggers: [dm.received]
    conditions: [{message.text: {matches: '^who (?P<who>@?[a-z0-9_]+)$'}}]
    actions:
      - id: who
        lookup: {username: "\${{ captures.who }}"}
        on_error: [{reply: "\${{ error.code }} \${{ steps.who.status }}"}, stop]
      - reply: "\${{ steps.who.result.username }}"
  - id: post
    triggers: [dm.received]
    conditions: [{message.text: {matches: "^[0-9]+$"}}]
    actions:
      - id: post
        lookup: {post: "\${{ message.text }}", fields: [author_id, like_count, in_reply_to_post_id]}
        on_error: [{reply: "\${{ error.code }} \${{ steps.post.status }}"}, stop]
      - reply: "\${{ steps.post.result.text }} \${{ steps.post.result.author_id }} \${{ steps.post.result.like_count }} \${{ has(steps.post.result.in_reply_to_post_id) }}"
`;

describe.each(["post", "tweet"] as const)("a rule that looks up, in the %s dialect", (dialect) => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({
      rules: { "who.yaml": rules },
      settings: `platform: {dialect: ${dialect}}`,
    });
    await bot.start();
  });
  afterAll(() => bot.close());

  it("reads the fields of a person by id", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("me");
    expect(await ana.answers(1)).toEqual(["Ana 0 true false"]);
  });

  it("finds a person by handle, and fails with a code for one that does not exist", async () => {
    const ben = await bot.stranger("Ben");
    await ben.says(`who @${ben.username}`);
    expect(await ben.answers(1)).toEqual([ben.username]);
    await ben.says("who nobody_here");
    expect((await ben.answers(2)).at(-1)).toBe("not-found 404");
  });

  it("reads the fields of a post, and fails for a deleted one", async () => {
    const eve = await bot.stranger("Eve");
    const { id } = await bot.sandbox.control.act(eve.id, { type: "post", text: "hi there" });
    await eve.says(id);
    expect(await eve.answers(1)).toEqual([`hi there ${eve.id} 0 false`]);
    await eve.says("123");
    expect((await eve.answers(2)).at(-1)).toBe("not-found 404");
  });
});
