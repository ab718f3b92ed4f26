import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { PNG } from "../media/media-uploader.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";
import type { Act } from "../../../src/sandbox/control/objects.ts";

let fixture: TestSandbox;
let webhookId: string;
let authors = 0;
beforeAll(async () => {
  fixture = await startTestSandbox();
  webhookId = await fixture.subscribed();
});
afterAll(() => fixture.close());
beforeEach(() => {
  fixture.received.length = 0;
});

/** Performs an action of a user, and returns the deliveries that the receiver got. */
async function actAndReceive(by: string, what: Act): Promise<Record<string, unknown>[]> {
  await fixture.idle();
  fixture.received.length = 0;
  await fixture.sandbox.control.act(by, what);
  await fixture.idle();
  return fixture.received.map(({ body }) => body);
}

/** Creates a further user whose activity is delivered, too; returns the id. */
async function subscribedUser(username: string): Promise<string> {
  const user = await fixture.sandbox.control.user(username);
  const path = `/2/account_activity/webhooks/${webhookId}/subscriptions/all`;
  await fixture.asUser(user, "POST", path);
  return user;
}

const stamp = expect.stringMatching(/^\d{13}$/);
const digits = expect.stringMatching(/^\d{15,19}$/);

describe("an event", () => {
  it("reports a direct message with both users, thirteen fields each", async () => {
    const [body] = await actAndReceive(fixture.person, {
      type: "dm",
      to: fixture.bot,
      text: "hi #there",
    });

    expect(body).toMatchObject({
      for_user_id: fixture.bot,
      direct_message_events: [
        {
          type: "message_create",
          id: digits,
          created_timestamp: stamp,
          message_create: {
            target: { recipient_id: fixture.bot },
            sender_id: fixture.person,
            message_data: {
              text: "hi #there",
              entities: {
                hashtags: [{ text: "there", indices: [3, 9] }],
                symbols: [],
                user_mentions: [],
                urls: [],
              },
            },
          },
        },
      ],
      users: {
        [fixture.bot]: { screen_name: "hello_bot" },
        [fixture.person]: { screen_name: "alice" },
      },
    });
    const users = body?.["users"] as Record<string, object>;
    expect(Object.keys(users[fixture.bot] ?? {})).toHaveLength(13);
    expect(body).toMatchObject({
      direct_message_events: [{ message_create: { source_app_id: "1" } }],
      apps: { 1: { id: "1", name: expect.any(String) as unknown } },
    });
  });

  it("echoes a message the bot sent, with the app that sent it", async () => {
    const sent = await fixture.asBot(
      "POST",
      `/2/dm_conversations/with/${fixture.person}/messages`,
      {
        text: "yo",
      },
    );
    await fixture.idle();

    expect(sent.status).toBe(201);
    const { dm_event_id } = sent.body["data"] as { dm_event_id: string };
    expect(fixture.received[0]?.body).toMatchObject({
      direct_message_events: [
        { id: dm_event_id, message_create: { source_app_id: fixture.app.app_id } },
      ],
      apps: { [fixture.app.app_id]: { id: fixture.app.app_id, name: "test app", url: "" } },
    });
  });

  it("returns the language of a post as the data interface does", async () => {
    const [body] = await actAndReceive(fixture.person, {
      type: "post",
      text: "@hello_bot \u3053\u3093\u306b\u3061\u306f",
    });
    const [event] = Object(body).post_create_events as [{ id_str: string; lang: string }];
    const shown = await fixture.asApp("GET", `/2/posts/${event.id_str}?post.fields=lang`);

    expect(event.lang).toBe("ja");
    expect(shown.body["data"]).toMatchObject({ lang: "ja" });
  });

  it("shows the pictures of posts and messages", async () => {
    const upload = async (media_category: string): Promise<unknown> => {
      const media = PNG.toString("base64");
      const uploaded = await fixture.asBot("POST", "/2/media/upload", { media, media_category });
      return Object(uploaded.body["data"]).id;
    };
    const [one, two] = [await upload("tweet_image"), await upload("dm_image")];
    await fixture.asBot("POST", "/2/posts", { text: "look", media: { media_ids: [one] } });
    await fixture.asBot("POST", `/2/dm_conversations/with/${fixture.person}/messages`, {
      attachments: [{ media_id: two }],
    });
    await fixture.idle();

    const url = expect.stringMatching(/^https:\/\/t\.co\/\w{10}$/) as unknown;
    const picture = { type: "photo", url, indices: [5, 28], sizes: { large: { w: 1, h: 1 } } };
    expect(fixture.received.map(({ body }) => body)).toMatchObject([
      {
        post_create_events: [
          {
            text: expect.stringMatching(/^look https:\/\/t\.co\/\w{10}$/),
            entities: { urls: [], media: [{ ...picture, id_str: one }] },
            extended_entities: { media: [{ id_str: one }] },
          },
        ],
      },
      {
        direct_message_events: [
          {
            message_create: {
              message_data: {
                text: url,
                entities: { urls: [{ url, indices: [0, 23] }] },
                attachment: { media: { id_str: two, url } },
              },
            },
          },
        ],
      },
    ]);
  });

  it("reports a mention, with ids as whole numbers of all their digits", async () => {
    const post = await fixture.sandbox.control.act(fixture.person, {
      type: "post",
      text: "hey @Hello_Bot",
    });
    await fixture.idle();

    const raw = fixture.received[0]?.raw;
    const body = fixture.received[0]?.body;
    expect(body).toMatchObject({
      for_user_id: fixture.bot,
      user_has_blocked: "false",
      post_create_events: [
        {
          id_str: post.id,
          text: "hey @Hello_Bot",
          user: { id_str: fixture.person, screen_name: "alice" },
          entities: { user_mentions: [{ id_str: fixture.bot, indices: [4, 14] }] },
          truncated: false,
          timestamp_ms: stamp,
        },
      ],
    });
    expect(raw).toContain(`"id":${post.id},`);
    expect(body).not.toHaveProperty("is_blocked_by");
  });

  it("shows that the mentioned user has blocked the author", async () => {
    const pest = await fixture.sandbox.control.user("pest");
    await actAndReceive(fixture.bot, { type: "block", user_id: pest });

    const [body] = await actAndReceive(pest, { type: "post", text: "@hello_bot !" });

    expect(body).toMatchObject({ user_has_blocked: "true", is_blocked_by: true });
  });

  it("reports replies, quotes and reposts of the account's posts, and of its own posts", async () => {
    const own = await fixture.sandbox.control.act(fixture.bot, { type: "post", text: "original" });
    const [reply] = await actAndReceive(fixture.person, {
      type: "post",
      text: "re",
      in_reply_to: own.id,
    });
    const [quote] = await actAndReceive(fixture.person, {
      type: "post",
      text: "look",
      quote_of: own.id,
    });
    const [repost] = await actAndReceive(fixture.person, { type: "repost", post_id: own.id });

    expect(reply).toMatchObject({
      user_has_blocked: "false",
      post_create_events: [
        { in_reply_to_status_id_str: own.id, in_reply_to_screen_name: "hello_bot" },
      ],
    });
    expect(quote).toMatchObject({
      post_create_events: [{ is_quote_status: true, quoted_status: { id_str: own.id } }],
    });
    expect(repost).toMatchObject({ post_create_events: [{ reposted_status: { id_str: own.id } }] });
  });

  it("does not report reposts of others' posts that mention the account", async () => {
    const carl = await fixture.sandbox.control.user("carl");
    const post = { type: "post", text: "ask @hello_bot, it knows" } as const;
    const { id } = await fixture.sandbox.control.act(carl, post);

    expect(await actAndReceive(fixture.person, { type: "repost", post_id: id })).toEqual([]);
  });

  it("shortens a longform post and has the full text in a field of its own", async () => {
    const text = `@hello_bot ${"long ".repeat(80)}#end`;
    const [body] = await actAndReceive(fixture.person, { type: "post", text });

    const [post] = (body ?? {})["post_create_events"] as { text: string; extended_post: object }[];
    expect(post).toMatchObject({
      truncated: true,
      display_text_range: [0, 140],
      extended_post: {
        full_text: text,
        display_text_range: [0, text.length],
        entities: { hashtags: [{ text: "end" }] },
      },
    });
    expect(post?.text.length).toBeLessThanOrEqual(140);
  });

  it("reports a like of the account's post", async () => {
    const own = await fixture.sandbox.control.act(fixture.bot, { type: "post", text: "like me" });
    const [body] = await actAndReceive(fixture.person, { type: "like", post_id: own.id });

    expect(body).toMatchObject({
      favorite_events: [
        {
          id: expect.any(String),
          created_at: expect.stringMatching(/^\w{3} \w{3} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/),
          timestamp_ms: expect.any(Number),
          favorited_status: { id_str: own.id },
          user: { id_str: fixture.person },
        },
      ],
    });
  });

  test.each([
    { type: "follow", key: "follow_events" },
    { type: "unfollow", key: "follow_events", undone: "follow" },
    { type: "mute", key: "mute_events" },
    { type: "unmute", key: "mute_events", undone: "mute" },
    { type: "block", key: "block_events" },
    { type: "unblock", key: "block_events", undone: "block" },
  ] as const)("reports $type under $key", async ({ type, key, ...before }) => {
    const { control } = fixture.sandbox;
    const username = `${type}_target`;
    const user_id = await control.user(username);
    if ("undone" in before) await control.act(fixture.bot, { type: before.undone, user_id });
    const [body, ...others] = await actAndReceive(fixture.bot, { type, user_id });

    expect(body).toEqual({
      for_user_id: fixture.bot,
      [key]: [
        {
          type,
          created_timestamp: stamp,
          source: expect.objectContaining({ id: fixture.bot, screen_name: "hello_bot" }),
          target: expect.objectContaining({ id: user_id, screen_name: username }),
        },
      ],
    });
    expect(others).toEqual([]);
  });

  test.each([
    {
      why: "its author is protected, and the account does not follow them",
      before: (author: string) =>
        fixture.sandbox.control.call("PATCH", `/users/${author}`, { protected: true }),
      delivered: 0,
    },
    {
      why: "its author is protected, and the account follows them",
      before: async (author: string) => {
        await fixture.sandbox.control.act(fixture.bot, { type: "follow", user_id: author });
        await fixture.sandbox.control.call("PATCH", `/users/${author}`, { protected: true });
      },
      delivered: 1,
    },
    {
      why: "its author is protected and blocks the account, which followed them",
      before: async (author: string) => {
        const { control } = fixture.sandbox;
        await control.act(fixture.bot, { type: "follow", user_id: author });
        await control.call("PATCH", `/users/${author}`, { protected: true });
        await control.act(author, { type: "block", user_id: fixture.bot });
      },
      delivered: 0,
    },
    {
      why: "its author blocks the account, and is not protected",
      before: (author: string) =>
        fixture.sandbox.control.act(author, { type: "block", user_id: fixture.bot }),
      delivered: 1,
    },
    {
      why: "the account has muted its author",
      before: (author: string) =>
        fixture.sandbox.control.act(fixture.bot, { type: "mute", user_id: author }),
      delivered: 0,
    },
  ])("delivers a mention $delivered times where $why", async ({ before, delivered }) => {
    const author = await fixture.sandbox.control.user(`author_${(authors += 1)}`);
    await before(author);
    const events = await actAndReceive(author, { type: "post", text: "@hello_bot hello" });

    expect(events.filter((event) => "post_create_events" in event)).toHaveLength(delivered);
  });

  it.each([
    { text: "\u{f8fe}\u{f8ff}int:007", why: "private characters and digits" },
    { text: '{"int":"5"}', why: "JSON" },
    { text: "-5", why: "a number" },
  ])("has a text and a name unchanged that consist of $why", async ({ text }) => {
    const { control } = fixture.sandbox;
    const author = await control.user(`author_${(authors += 1)}`, { name: text });
    const [body] = await actAndReceive(author, { type: "dm", to: fixture.bot, text });
    const path = `/1.1/statuses/update.json?status=${encodeURIComponent(text)}`;
    const post = await fixture.asUser(author, "POST", path);

    expect(body).toMatchObject({
      direct_message_events: [{ message_create: { message_data: { text } } }],
      users: { [author]: { name: text } },
    });
    expect(post.body).toMatchObject({ text, user: { name: text } });
  });

  it("reports typing and reading", async () => {
    const [typing] = await actAndReceive(fixture.person, { type: "typing", to: fixture.bot });
    const { id } = await fixture.sandbox.control.act(fixture.bot, {
      type: "dm",
      to: fixture.person,
      text: "read me",
    });
    await fixture.idle();
    const [read] = await actAndReceive(fixture.person, {
      type: "read",
      to: fixture.bot,
      last_event_id: id,
    });

    const shape = {
      created_timestamp: stamp,
      sender_id: fixture.person,
      target: { recipient_id: fixture.bot },
    };
    expect(typing?.["direct_message_indicate_typing_events"]).toEqual([shape]);
    expect(read?.["direct_message_mark_read_events"]).toEqual([
      { ...shape, last_read_event_id: id },
    ]);
    expect(Object.keys(read?.["users"] ?? {}).sort()).toEqual([fixture.bot, fixture.person].sort());
  });

  it("reports a deleted post", async () => {
    const own = await fixture.sandbox.control.act(fixture.bot, { type: "post", text: "gone soon" });
    await fixture.idle();
    const [body] = await actAndReceive(fixture.bot, { type: "delete", post_id: own.id });

    expect(body).toEqual({
      for_user_id: fixture.bot,
      post_delete_events: [{ status: { id: own.id, user_id: fixture.bot }, timestamp_ms: stamp }],
    });
  });

  it("goes once to each subscribed account involved", async () => {
    const second = await subscribedUser("second_bot");

    const bodies = await actAndReceive(second, {
      type: "dm",
      to: fixture.bot,
      text: "between bots",
    });

    expect(new Set(bodies.map((body) => body["for_user_id"]))).toEqual(
      new Set([fixture.bot, second]),
    );
    expect(bodies).toHaveLength(2);
  });
});

it("uses the tweet dialect for an app that requests it", async () => {
  const tweet = await startTestSandbox({}, { dialect: "tweet" });
  await tweet.subscribed();
  const own = await tweet.sandbox.control.act(tweet.bot, { type: "post", text: "original" });
  await tweet.sandbox.control.act(tweet.person, { type: "repost", post_id: own.id });
  await tweet.idle();

  expect(tweet.received.map(({ body }) => body)).toMatchObject([
    { tweet_create_events: [{ retweet_count: 0, retweeted: false }] },
    { tweet_create_events: [{ retweeted_status: { id_str: own.id } }] },
  ]);
  expect(tweet.received[0]?.headers).toHaveProperty("x-twitter-webhooks-signature");
  await tweet.close();
});

it("ends the subscription and reports it when the user removes the app", async () => {
  const leaver = await subscribedUser("leaver");
  const message: Act = { type: "dm", to: leaver, text: "still there?" };
  expect(await actAndReceive(fixture.person, message)).toMatchObject([{ for_user_id: leaver }]);
  fixture.received.length = 0;

  const path = `/users/${leaver}/apps/${fixture.app.app_id}`;
  expect(await fixture.sandbox.control.call("DELETE", path)).toEqual({ revoked: true });
  await fixture.idle();

  expect(fixture.received.map(({ body }) => body)).toEqual([
    {
      user_event: {
        revoke: {
          date_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
          target: { app_id: fixture.app.app_id },
          source: { user_id: leaver },
        },
      },
    },
  ]);
  expect(await actAndReceive(fixture.person, message)).toEqual([]);
});
