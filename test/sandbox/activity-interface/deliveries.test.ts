import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let webhook: string;
beforeEach(async () => {
  fixture = await startTestSandbox({}, { dialect: "tweet" });
  const response = await fixture.asApp("POST", "/2/webhooks", { url: "https://bot.example/hook" });
  webhook = String(Object(response.body["data"]).id);
});
afterEach(() => fixture.close());

async function subscribe(eventType: string, filter: Record<string, string> = {}): Promise<void> {
  const subscription = await fixture.asBot("POST", "/2/activity/subscriptions", {
    event_type: eventType,
    filter: { user_id: fixture.bot, ...filter },
    tag: "here",
    webhook_id: webhook,
  });
  expect(subscription.status).toBe(200);
}

interface Told {
  readonly event_type: string;
  readonly payload: Record<string, unknown>;
  readonly includes?: Record<string, unknown>;
}
const events = async (): Promise<Told[]> => {
  await fixture.idle();
  return fixture.received.map(({ body }) => body["data"] as Told);
};
const types = async (): Promise<string[]> => (await events()).map((one) => one.event_type);
const act: TestSandbox["sandbox"]["control"]["act"] = (who, what) =>
  fixture.sandbox.control.act(who, what);

describe("a delivery of the activity interface", () => {
  it("has type, filter, tag and payload, signed like account activity", async () => {
    await subscribe("dm.received");
    const { id } = await act(fixture.person, { type: "dm", to: fixture.bot, text: "hello & bye" });

    const [one] = await events();
    const users = { [fixture.person]: { data: { id: fixture.person, username: "alice" } } };
    expect(one).toMatchObject({
      event_type: "dm.received",
      event_uuid: expect.stringMatching(/^\d{1,19}$/),
      filter: { user_id: fixture.bot },
      tag: "here",
      payload: {
        direct_message_events: [
          { id, type: "message_create", message_create: { sender_id: fixture.person } },
        ],
        users,
      },
    });
    const { headers = {}, raw = "" } = fixture.received[0] ?? {};
    const hash = createHmac("sha256", fixture.app.consumer_secret).update(raw).digest("base64");
    expect(headers["x-twitter-webhooks-signature"]).toBe(`sha256=${hash}`);
    expect(headers["content-type"]).toBe("application/json");
  });

  it("contains a post as the data interface shows it, with its author and references", async () => {
    await subscribe("post.mention.create", { direction: "inbound" });
    const first = await act(fixture.bot, { type: "post", text: "opening hours" });
    const text = "until when?";
    const { id } = await act(fixture.person, { type: "post", text, in_reply_to: first.id });

    const [one, ...more] = await events();
    expect(more).toEqual([]);
    expect(one).toMatchObject({
      payload: {
        id,
        text: "@hello_bot until when?",
        display_text_range: [11, 22],
        author_id: fixture.person,
        conversation_id: first.id,
        in_reply_to_user_id: fixture.bot,
        referenced_tweets: [{ type: "replied_to", id: first.id }],
        entities: { mentions: [{ username: "hello_bot", id: fixture.bot }] },
        created_at: expect.stringMatching(/Z$/),
        public_metrics: { retweet_count: 0 },
      },
      includes: {
        users: [{ id: fixture.person, username: "alice" }, { id: fixture.bot }],
        tweets: [{ id: first.id, text: "opening hours" }],
      },
    });
  });

  it("finds a keyword in the handles that a reply begins with", async () => {
    await subscribe("post.reply.create", { keyword: "@alice" });
    const first = await act(fixture.person, { type: "post", text: "who is there?" });
    const { id } = await act(fixture.bot, { type: "post", text: "I am", in_reply_to: first.id });

    expect(await events()).toMatchObject([{ payload: { id, text: "@alice I am" } }]);
  });

  it("is retried after 3 seconds, and holds back later deliveries of the same account", async () => {
    await subscribe("dm.received");
    await subscribe("post.mention.create");
    fixture.answers.statuses = [503];
    await act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });
    await act(fixture.person, { type: "post", text: "@hello_bot and here" });
    expect(await types()).toEqual([]);
    await fixture.sandbox.control.advance(3_000);
    expect(await types()).toEqual(["dm.received", "post.mention.create"]);
  });

  it("is sent in addition to the one of account activity", async () => {
    await subscribe("dm.received");
    await fixture.asBot("POST", `/2/account_activity/webhooks/${webhook}/subscriptions/all`);
    await act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });
    await fixture.idle();
    const keys = fixture.received.map(({ body }) => Object.keys(body)[0]);
    expect(new Set(keys)).toEqual(new Set(["data", "for_user_id"]));
    expect(keys).toHaveLength(2);
  });

  it("goes on after the world was saved and restored, though its webhook was deleted meanwhile", async () => {
    await subscribe("dm.received");
    fixture.answers.statuses = [503];
    await act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });
    await fixture.idle();
    const { control } = fixture.sandbox;
    await control.restoreWorld(await control.saveWorld());
    await control.advance(3_000);
    expect(await types()).toEqual(["dm.received"]);
    await fixture.asApp("DELETE", `/2/webhooks/${webhook}`);
    await act(fixture.person, { type: "dm", to: fixture.bot, text: "anybody?" });
    expect(await types()).toEqual(["dm.received"]);
  });
});

describe("the app's permission level", () => {
  it("keeps messages from the webhook while it excludes them, but no other events", async () => {
    await subscribe("dm.received");
    await subscribe("dm.indicate_typing");
    await subscribe("post.mention.create");
    const { control } = fixture.sandbox;
    await control.changeApp(fixture.app.app_id, { permission_level: "read-write" });
    await act(fixture.person, { type: "typing", to: fixture.bot });
    await act(fixture.person, { type: "dm", to: fixture.bot, text: "kept back" });
    await act(fixture.person, { type: "post", text: "@hello_bot hi" });
    expect(await types()).toEqual(["post.mention.create"]);

    await control.changeApp(fixture.app.app_id, { permission_level: "read-write-directmessages" });
    await act(fixture.person, { type: "dm", to: fixture.bot, text: "hello" });
    expect(await types()).toEqual(["post.mention.create", "dm.received"]);
  });
});

describe("the reported events", () => {
  /** Event types, each with an action that causes the event and with the expected payload. */
  const cases: readonly {
    readonly type: string;
    readonly filter?: Record<string, string>;
    readonly does: (post: string) => Promise<unknown>;
    readonly payload: () => Record<string, unknown>;
    readonly why: string;
  }[] = [
    {
      type: "post.create",
      why: "the user posts",
      does: () => act(fixture.bot, { type: "post", text: "new" }),
      payload: () => ({ text: "new", author_id: fixture.bot }),
    },
    {
      type: "post.delete",
      why: "the user deletes",
      does: (post_id) => act(fixture.bot, { type: "delete", post_id }),
      payload: () => ({ id: expect.any(String), author_id: fixture.bot }),
    },
    {
      type: "post.reply.create",
      why: "somebody replies",
      does: (in_reply_to) => act(fixture.person, { type: "post", text: "so?", in_reply_to }),
      payload: () => ({ in_reply_to_user_id: fixture.bot }),
    },
    {
      type: "post.quote.create",
      why: "somebody quotes",
      does: (quote_of) => act(fixture.person, { type: "post", text: "so!", quote_of }),
      payload: () => ({ referenced_tweets: [{ type: "quoted" }] }),
    },
    {
      type: "post.repost.create",
      why: "somebody reposts",
      does: (post_id) => act(fixture.person, { type: "repost", post_id }),
      payload: () => ({ referenced_tweets: [{ type: "retweeted" }] }),
    },
    {
      type: "like.create",
      why: "somebody likes",
      does: (post_id) => act(fixture.person, { type: "like", post_id }),
      payload: () => ({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        tweet_author_id: fixture.bot,
        liked_tweet_id: expect.any(String),
        timestamp_ms: expect.any(Number),
      }),
    },
    {
      type: "follow.follow",
      why: "somebody follows",
      does: () => act(fixture.person, { type: "follow", user_id: fixture.bot }),
      payload: () => ({ source: { id: fixture.person }, target: { id: fixture.bot } }),
    },
    {
      type: "mute.mute",
      why: "the user mutes",
      does: () => act(fixture.bot, { type: "mute", user_id: fixture.person }),
      payload: () => ({ source: { id: fixture.bot }, target: { id: fixture.person } }),
    },
    {
      type: "block.block",
      why: "the user blocks",
      does: () => act(fixture.bot, { type: "block", user_id: fixture.person }),
      payload: () => ({ source: { id: fixture.bot } }),
    },
    {
      type: "dm.sent",
      why: "the user writes",
      does: () => act(fixture.bot, { type: "dm", to: fixture.person, text: "hi" }),
      payload: () => ({ direct_message_events: [{ message_create: { sender_id: fixture.bot } }] }),
    },
    {
      type: "dm.indicate_typing",
      why: "somebody types",
      does: () => act(fixture.person, { type: "typing", to: fixture.bot }),
      payload: () => ({ direct_message_indicate_typing_events: [{ sender_id: fixture.person }] }),
    },
    {
      type: "profile.update.bio",
      why: "the bio changes",
      does: () => fixture.sandbox.control.changeUser(fixture.bot, { description: "I answer" }),
      payload: () => ({ before: "", after: "I answer" }),
    },
    {
      type: "profile.update.handle",
      why: "the handle changes",
      does: () => fixture.sandbox.control.changeUser(fixture.bot, { username: "hi_bot" }),
      payload: () => ({ before: "hello_bot", after: "hi_bot" }),
    },
  ];

  it.each(cases)("is $type once: $why", async ({ type, filter, does, payload }) => {
    const { id } = await act(fixture.bot, { type: "post", text: "opening hours" });
    await subscribe(type, filter);
    await does(id);
    const all = await events();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ event_type: type, payload: payload() });
  });

  it("contains no reposts of others' posts that mention the user", async () => {
    await subscribe("post.mention.create");
    await subscribe("post.repost.create");
    const carl = await fixture.sandbox.control.user("carl");
    const { id } = await act(carl, { type: "post", text: "ask @hello_bot, it knows" });
    await act(fixture.person, { type: "repost", post_id: id });

    expect((await events()).map(({ payload }) => payload["id"])).toEqual([id]);
  });

  it("contains only events of the filter's direction", async () => {
    await subscribe("follow.follow", { direction: "inbound" });
    await act(fixture.bot, { type: "follow", user_id: fixture.person });
    expect(await types()).toEqual([]);
    await act(fixture.person, { type: "follow", user_id: fixture.bot });
    expect(await types()).toEqual(["follow.follow"]);
  });

  it("contains only events with the keyword", async () => {
    await subscribe("post.mention.create", { keyword: "Tea" });
    await act(fixture.person, { type: "post", text: "@hello_bot coffee" });
    await act(fixture.person, { type: "post", text: "@hello_bot green TEA" });
    expect((await events()).map(({ payload }) => payload["text"])).toEqual([
      "@hello_bot green TEA",
    ]);
  });
});
