import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";

const DEVICE = "d".repeat(64);
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
  - id: text
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: "text "}}]
    actions:
      - id: post
        lookup: {post: "\${{ message.text.substring(5) }}", fields: [full_text]}
      - reply: "\${{ steps.post.result.text }}"
      - reply: "\${{ steps.post.result.full_text }}"
  - id: ad
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: bought}}]
    actions:
      - id: credit
        lookup:
          attribution:
            app_id: \${{ message.text.substring(7) }}
            conversion_type: PURCHASE
            conversion_time: \${{ event.time }}
            os_type: ANDROID
            hashed_device_id: ${DEVICE}
            click_window: 30
        on_error: [{reply: "\${{ error.code }}"}, stop]
      - if: steps.credit.result.platform_attribution == null
        then: [{reply: "no ad in \${{ steps.credit.result.click_window }} days"}]
        else: [{reply: "\${{ steps.credit.result.platform_attribution.engagement_type }} of \${{ steps.credit.result.platform_attribution.promoted_properties.campaign_id }}"}]
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

  it("reads the text of a post as its author wrote it, like the text of an event", async () => {
    const gil = await bot.stranger("Gil");
    const { control } = bot.sandbox;
    const text = "a <b> & c https://shop.example.test/tea?a=1&b=2";
    const { id } = await control.act(gil.id, { type: "post", text });
    await gil.says(`text ${id}`);
    expect(await gil.answers(2)).toEqual([text, text]);
  });

  it("reads the attribution of a conversion, which is null without an ad", async () => {
    const { control } = bot.sandbox;
    const { account_id: advertiser } = await control.post<{ account_id: string }>("/ads/accounts", {
      user_id: bot.file.bot.id,
      name: "partner",
    });
    const { now } = await control.advance(0);
    await control.post("/ads/engagements", {
      account_id: advertiser,
      app_store_identifier: "7",
      hashed_device_id: DEVICE,
      type: "CLICK",
      time: new Date(Date.parse(now) - 20 * 86_400_000).toISOString(),
      campaign_id: "c42",
    });
    const fay = await bot.stranger("Fay");

    await fay.says("bought 7");
    expect(await fay.answers(1)).toEqual(["CLICK of c42"]);
    await fay.says("bought 8");
    expect((await fay.answers(2)).at(-1)).toBe("no ad in 30 days");
  });
});
