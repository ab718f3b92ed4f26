import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { READ_EVENT_TYPES } from "../../../src/events/activity-event-types.ts";
import type { AccountEvent } from "../../../src/events/event.ts";
import { activityDeliveries } from "../../../src/events/read/activity-delivery.ts";
import { translate } from "../../../src/events/translate.ts";
import { wireOf } from "../../../src/events/wire.ts";
import { answerChallenge } from "../../../src/runtime/webhook/challenge.ts";
import type { Act } from "../../../src/sandbox/control/objects.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { listening } from "../../support/listening.ts";

const usernameOf = (id: string): string | undefined => (id === "100" ? "hello_bot" : undefined);
const LONG = "long ".repeat(100);

/** Events that the sandbox delivered by its two interfaces for the same actions. */
interface Story {
  readonly byAccountActivity: ReadonlyMap<string, AccountEvent>;
  /** Events delivered by the activity interface. Several of its event types may describe the same event. */
  readonly byActivityInterface: readonly AccountEvent[];
}

let sandbox: RunningSandbox;
beforeAll(async () => {
  // The clock is frozen, because an event's time and the time in its id are read at two moments.
  sandbox = await startSandbox({
    settings: { limits: { enabled: false } },
    clock: { frozen: true },
  });
});
afterAll(() => sandbox.close());

/** Performs actions with an app of this dialect, and reads the events that both interfaces delivered. */
async function storyIn(dialect: "post" | "tweet"): Promise<Story> {
  const { control } = sandbox;
  const app = await control.app({ dialect });
  const bot = await control.user(`bot_${dialect}`);
  const ana = await control.user(`ana_${dialect}`);
  await control.changeUser(ana, { description: "Writes to bots", verified: true });
  const { access_token: accessToken, access_token_secret: accessTokenSecret } =
    await control.tokens(bot, app.app_id);
  const client = createClient({
    baseUrl: sandbox.url,
    dialect,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken,
      accessTokenSecret,
    },
  });
  const byAccountActivity = new Map<string, AccountEvent>();
  const byActivityInterface: AccountEvent[] = [];
  const take = (body: object): void => {
    const deliveries = activityDeliveries(body, { usernameOf });
    for (const one of deliveries ?? []) {
      byActivityInterface.push(...translate(one, 0).map(({ event }) => timeless(event)));
    }
    if (deliveries !== undefined) return;
    for (const { event } of translate(body, 0)) byAccountActivity.set(timeless(event).key, event);
  };
  const host = `${dialect}.example`;
  await listening(
    (request, response) => {
      const token = new URLSearchParams(request.url?.split("?")[1]).get("crc_token");
      const answer = answerChallenge(token, app.consumer_secret);
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        const body = request.method === "POST" ? wireOf(JSON.parse(text)) : undefined;
        if (body !== undefined) take(body);
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(answer.ok ? answer.body : {}));
      });
    },
    async (origin) => {
      await control.host(host, origin);
      const owner = client.as({ type: "bearer", bearerToken: app.bearer_token });
      const { id: webhookId } = await owner.webhooks.create(`https://${host}/webhook`);
      await client.activity.subscribe(webhookId);
      for (const eventType of READ_EVENT_TYPES) {
        await client.activitySubscriptions.create({ eventType, userId: bot, webhookId });
      }
      await play(bot, ana, `@bot_${dialect}`);
      // The request returns only after the sandbox has delivered the events that are due.
      await control.advance(60_000);
    },
  );
  await client.close();
  return { byAccountActivity, byActivityInterface };
}

/** Removes from a relation's key the time, which the activity interface does not deliver. */
function timeless(event: AccountEvent): AccountEvent {
  return event.kind === "relation" ? { ...event, key: event.key.replace(/:\d+$/, "") } : event;
}

async function play(bot: string, ana: string, named: string): Promise<void> {
  const act = (by: string, what: Act) => sandbox.control.act(by, what);
  const said = await act(ana, {
    type: "dm",
    to: bot,
    text: `hi ${named}, R&D: https://a.example/x #now`,
  });
  await act(bot, { type: "dm", to: ana, text: "Hello!" });
  await act(ana, { type: "typing", to: bot });
  await act(ana, { type: "read", to: bot, last_event_id: said.id });
  const { id } = await act(bot, { type: "post", text: "We are open" });
  await act(ana, { type: "post", text: `${named} are you open? #now` });
  await act(ana, { type: "post", text: "Thank you, R&D", in_reply_to: id });
  await act(ana, { type: "post", text: `Look, ${named}!`, quote_of: id });
  const long = await act(ana, { type: "post", text: `${named} ${LONG}#end` });
  await act(bot, { type: "post", text: "Indeed", in_reply_to: long.id });
  await act(ana, { type: "repost", post_id: id });
  await act(bot, { type: "repost", post_id: long.id });
  await act(ana, { type: "like", post_id: id });
  await act(bot, { type: "like", post_id: long.id });
  await act(ana, { type: "follow", user_id: bot });
  await act(ana, { type: "unfollow", user_id: bot });
  await act(bot, { type: "follow", user_id: ana });
  await act(bot, { type: "mute", user_id: ana });
  await act(bot, { type: "unmute", user_id: ana });
  await act(bot, { type: "block", user_id: ana });
  await act(bot, { type: "unblock", user_id: ana });
  const gone = await act(bot, { type: "post", text: "A mistake" });
  await act(bot, { type: "delete", post_id: gone.id });
}

/** Names of fields that count something: their values change between the two deliveries. */
const COUNTERS = /^(?:post|followers|following|listed|like|reply|repost|quote)Count$/;

/**
 * Fields that both interfaces deliver. The activity interface delivers less about people in messages, no website of a
 * post's app, and no time of a deletion.
 */
function core(event: AccountEvent | undefined): unknown {
  return JSON.parse(JSON.stringify(event), (key, value: unknown) =>
    COUNTERS.test(key) || key === "sourceAppUrl" ? undefined : value,
  );
}

describe.each(["post", "tweet"] as const)(
  "what the activity interface brings in the %s dialect",
  (dialect) => {
    let story: Story;
    beforeAll(async () => {
      story = await storyIn(dialect);
    });

    it("are the same events as by account activity, with the same keys", () => {
      const keys = new Set(story.byActivityInterface.map(({ key }) => key));
      expect(keys).toEqual(new Set(story.byAccountActivity.keys()));
      expect(keys.size).toBeGreaterThan(22);
    });

    it("have the same account, lane, direction, triggers and sender, whichever event type delivers them", () => {
      for (const { key, accountId, lane, direction, triggers, kind } of story.byActivityInterface) {
        const other = story.byAccountActivity.get(key);
        expect({ key, accountId, lane, direction, triggers, kind }).toEqual({
          key,
          accountId: other?.accountId,
          lane: other?.lane,
          direction: other?.direction,
          triggers: other?.triggers,
          kind: other?.kind,
        });
      }
    });

    it("have the whole post: text, mentions, links, and quoted and reposted posts", () => {
      const posts = story.byActivityInterface.filter(({ kind }) => kind === "post");
      expect(posts.length).toBeGreaterThan(9);
      for (const event of posts) {
        expect(core(event)).toEqual({
          ...Object(core(story.byAccountActivity.get(event.key))),
          // The activity interface does not deliver whether the account has blocked the author.
          senderIsBlocked: undefined,
        });
      }
    });

    it("have the whole message, and the names of people", () => {
      const messages = story.byActivityInterface.filter(({ kind }) => kind === "message");
      expect(messages).toHaveLength(2);
      for (const event of messages) {
        const other = story.byAccountActivity.get(event.key);
        if (event.kind !== "message" || other?.kind !== "message") throw new Error("no message");
        // The activity interface does not deliver the name of the app that sent the message.
        const { sourceAppName, sourceAppUrl, ...rest } = other.message;
        expect([sourceAppName, sourceAppUrl]).toEqual([
          "Platform Web App",
          "https://platform.example",
        ]);
        expect(event.message).toEqual(rest);
        expect(event.at).toBe(other.at);
        expect(event.sender).toEqual({
          id: other.sender.id,
          name: other.sender.name,
          username: other.sender.username,
          profileImageUrl: other.sender.profileImageUrl,
        });
      }
    });
  },
);

/** A body as an adapter for the live service recorded it: few fields of the post, and its author in `includes`. */
function recorded(event_type: string, payload: object, includes: object = {}): object {
  return {
    data: {
      filter: { user_id: "100" },
      event_uuid: "1146654567674912769",
      event_type,
      payload,
      includes: { users: [{ id: "200", username: "ana", name: "Ana" }], ...includes },
    },
  };
}
const POST = {
  id: "1146654567674912770",
  text: "@hello_bot are you open?",
  author_id: "200",
  conversation_id: "1146654567674912770",
  created_at: "2026-01-02T03:04:05.000Z",
  lang: "en",
};
const ARRIVED_AT = 1;
const read = (body: object): AccountEvent[] =>
  (activityDeliveries(body, { usernameOf }) ?? []).flatMap((one) =>
    translate(one, ARRIVED_AT).map(({ event }) => event),
  );

describe("a body with fewer fields", () => {
  it("is a mention even if only its event type and its text show it", () => {
    const [event] = read(recorded("post.mention.create", POST));
    expect(event).toMatchObject({
      key: `post:${POST.id}`,
      lane: "100/200",
      triggers: ["post.mentioned"],
      sender: { username: "ana" },
      post: { mentions: [{ id: "100", username: "hello_bot" }] },
    });
  });

  it.each([
    { more: { in_reply_to_user_id: "100" }, why: "in reply to whom is told" },
    { more: {}, why: "only the event type says so" },
  ])("is a reply, and no mention where only the thread names the account: $why", ({ more }) => {
    const [reply] = read(recorded("post.reply.create", { ...POST, ...more }));
    expect(reply?.triggers).toEqual(["post.replied"]);
  });

  it("is a reply and a mention if the author names the account, whichever is delivered first", () => {
    const text = "@hello_bot is @hello_bot open?";
    const [reply] = read(recorded("post.reply.create", { ...POST, text }));
    expect(reply?.triggers).toEqual(["post.mentioned", "post.replied"]);
    const more = { in_reply_to_user_id: "100" };
    const [mention] = read(recorded("post.mention.create", { ...POST, text, ...more }));
    expect(mention?.triggers).toEqual(["post.mentioned", "post.replied"]);
  });

  it.each([
    { type: "post.quote.create", reference: "quoted", trigger: "post.quoted" },
    { type: "post.repost.create", reference: "retweeted", trigger: "post.reposted" },
  ])("is $trigger though the post of the account is not in it", ({ type, reference, trigger }) => {
    const referenced_tweets = [{ type: reference, id: "1146654567674912000" }];
    const [event] = read(recorded(type, { ...POST, text: "RT", referenced_tweets }));
    expect(event?.triggers).toEqual([trigger]);
  });

  it.each([
    {
      what: "a repost, and no mention",
      type: "post.repost.create",
      text: "RT @hello_bot: news",
      triggers: ["post.reposted"],
    },
    { what: "a quote", type: "post.quote.create", text: "so true", triggers: ["post.quoted"] },
    {
      what: "a quote and a mention",
      type: "post.quote.create",
      text: "so true, @hello_bot",
      triggers: ["post.mentioned", "post.quoted"],
    },
  ])("is $what even if no field refers to the other post", ({ type, text, triggers }) => {
    expect(read(recorded(type, { ...POST, text }))).toMatchObject([{ triggers }]);
    const own = { ...POST, text, author_id: "100" };
    const [relation = ""] = triggers.slice(-1);
    expect(read(recorded(type, own))[0]?.triggers).toEqual(
      expect.arrayContaining(["post.created", relation]),
    );
  });

  it("has the author's id if the author is not included", () => {
    const [event] = read(recorded("post.mention.create", POST, { users: undefined }));
    expect(event).toMatchObject({ kind: "post", sender: { id: "200" } });
  });

  it("is a like by the person beside the author", () => {
    const payload = {
      id: "8ba4f34e6235d905a46bac021d98e923",
      liked_tweet_id: "1146654567674912000",
      tweet_author_id: "100",
      created_at: "2026-01-02T03:04:05.000Z",
    };
    const [event] = read(recorded("like.create", payload));
    expect(event).toMatchObject({
      key: "like:8ba4f34e6235d905a46bac021d98e923",
      triggers: ["post.liked"],
      sender: { id: "200", username: "ana" },
      post: { id: "1146654567674912000", author: { id: "100" } },
    });
  });

  it("is a like of an author named as in the platform's examples, with one time or none", () => {
    const payload = {
      id: "8ba4f34e6235d905a46bac021d98e923",
      liked_tweet_id: "1146654567674912000",
      liked_tweet_author_id: "100",
      timestamp_ms: "1767323045000",
    };
    expect(read(recorded("like.create", payload))).toMatchObject([
      {
        at: Date.parse("2026-01-02T03:04:05Z"),
        triggers: ["post.liked"],
        sender: { id: "200", username: "ana" },
        post: { id: "1146654567674912000", author: { id: "100" } },
      },
    ]);
    expect(read(recorded("like.create", { ...payload, timestamp_ms: undefined }))).toMatchObject([
      { at: ARRIVED_AT, triggers: ["post.liked"] },
    ]);
  });

  describe("a like whose includes name nobody but the author of the post", () => {
    const like = (author: string, filter: object): object => {
      const payload = {
        id: "8ba4f34e6235d905a46bac021d98e923",
        liked_tweet_id: "2079814480427442556",
        liked_tweet_author_id: author,
        created_at: "2026-07-24T21:12:45.000Z",
        timestamp_ms: "1784927565236",
      };
      const { data } = Object(recorded("like.create", payload, { users: [{ id: author }] }));
      return { data: { ...data, filter: { user_id: "100", ...filter } } };
    };

    it.each([{ direction: "inbound" }, {}])(
      "is kept as it came if it may be a stranger's: filter %j",
      (filter) => {
        expect(read(like("100", filter))).toMatchObject([{ kind: "unrecognised" }]);
      },
    );

    it.each([
      { author: "100", filter: { direction: "outbound" } },
      { author: "300", filter: { direction: "outbound" } },
      { author: "300", filter: {} },
    ])("is the account's own: by $author, filter $filter", ({ author, filter }) => {
      expect(read(like(author, filter))).toMatchObject([
        {
          direction: "outbound",
          at: 1_784_927_565_236,
          sender: { id: "100" },
          // From the post's id: `created_at` is the time of the like in the platform's examples.
          post: { author: { id: author }, createdAt: Date.parse("2026-07-22T06:23:07.875Z") },
        },
      ]);
    });
  });

  it.each([
    { type: "follow.follow", trigger: "user.followed" },
    { type: "block.block", trigger: "user.blocked" },
  ])("is $trigger by people who are each under `data`, at its arrival", ({ type, trigger }) => {
    const people = {
      source: { data: { id: "200", username: "ana" } },
      target: { data: { id: "100", username: "hello_bot" } },
    };
    // The ids of these events are random numbers of 64 bits, which contain no time.
    const events = ["-7953119945885597316", "7953119945885597316"].flatMap((event_uuid) => {
      const { data } = Object(recorded(type, people));
      return read({ data: { ...data, event_uuid } });
    });
    const expected = {
      at: ARRIVED_AT,
      triggers: [trigger],
      sender: { id: "200", username: "ana" },
      target: { id: "100", username: "hello_bot" },
    };
    expect(events).toMatchObject([expected, expected]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(2);
  });

  it("is the end of the app's authorization, which names no account in its filter", () => {
    const payload = { date_time: "2026-01-02T03:04:05+00:00", user_id: "100", app_id: "9" };
    const data = { event_uuid: "5934540941047412905", filter: {}, event_type: "oauth.revoke" };
    expect(read({ data: { ...data, payload } })).toMatchObject([
      { triggers: ["account.authorization_revoked"], accountId: "100", appId: "9" },
    ]);
  });

  it("has the names of people who are included under `data`", () => {
    const users = [{ data: { id: "200", username: "ana" } }];
    expect(read(recorded("post.mention.create", POST, { users }))).toMatchObject([
      { sender: { id: "200", username: "ana" } },
    ]);
  });

  it("is several events if `data` is a list", () => {
    const other = { ...POST, id: "1146654567674912771" };
    const data = [POST, other].map((post) => Object(recorded("post.mention.create", post)).data);
    expect(read({ data }).map(({ key }) => key)).toEqual([`post:${POST.id}`, `post:${other.id}`]);
  });
});

const GROUP = "1585094756761149440";

/** Body with a message that Ben sends to a group of the account. */
function groupMessage(target: object): object {
  const message_create = { sender_id: "300", target, message_data: { text: "hello all" } };
  const message = { id: "7", type: "message_create", created_timestamp: "1", message_create };
  return recorded("dm.received", { direct_message_events: [message] });
}

describe("a message in a group", () => {
  it("is of the group if its target names the group", () => {
    const participant_ids = ["300", "200", "100"];
    const target = { recipient_id: "100", dm_conversation_id: GROUP, participant_ids };

    expect(read(groupMessage(target))).toMatchObject([
      {
        lane: `100/group:${GROUP}`,
        message: {
          conversationId: GROUP,
          conversationKind: "group",
          participants: participant_ids,
        },
      },
    ]);
  });
});

describe("unreadable data", () => {
  it.each([
    { body: recorded("chat.received", { id: "1" }), why: "an event type that becomes no event" },
    { body: recorded("post.telepathy", POST), why: "an event type that nobody knows" },
    { body: recorded("post.create", { text: "no id" }), why: "a post without an id" },
    { body: recorded("dm.received", {}), why: "a message without a message" },
    { body: recorded("follow.follow", { source: { id: "200" } }), why: "a follow of nobody" },
    { body: groupMessage({}), why: "a message of a group without the group's id" },
    { body: groupMessage({ recipient_id: GROUP }), why: "a message to a group as to a person" },
    { body: { data: { event_type: "dm.received" } }, why: "whose it is is not told" },
  ])("is kept as it came: $why", ({ body }) => {
    expect(read(body).map((event) => event.kind)).toEqual(["unrecognised"]);
  });

  it("leaves the rest of a post with odd parts unchanged", () => {
    const odd = { ...POST, entities: { mentions: "none" }, created_at: 7, public_metrics: [] };
    expect(read(recorded("post.mention.create", odd))).toMatchObject([
      { kind: "post", triggers: ["post.mentioned"] },
    ]);
  });

  it.each([
    {},
    { data: [] },
    { data: { id: "1" } },
    { for_user_id: "100", data: { event_type: "x" } },
  ])("is no body of the activity interface: %j", (body) => {
    expect(activityDeliveries(body, { usernameOf })).toBeUndefined();
  });
});
