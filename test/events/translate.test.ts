import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { translate } from "../../src/events/translate.ts";
import * as wire from "../support/wire.ts";

const ARRIVED = Date.UTC(2026, 2, 1);
const only = (body: unknown) => {
  const [arrival, ...rest] = translate(body, ARRIVED);
  expect(rest).toEqual([]);
  if (arrival === undefined) throw new Error("no event");
  return arrival.event;
};

describe("a delivery becomes events", () => {
  it("reads a received message with its sender", () => {
    expect(only(wire.message({ text: "hi #now", hashtags: ["now"] }))).toEqual({
      kind: "message",
      key: "message:5001",
      accountId: "100",
      at: 1_760_000_000_000,
      direction: "inbound",
      lane: "100/200",
      triggers: ["dm.received"],
      sender: expect.objectContaining({ id: "200", username: "ana", followersCount: 12 }),
      message: {
        id: "5001",
        text: "hi #now",
        senderId: "200",
        recipientId: "100",
        conversationId: "100-200",
        conversationKind: "private",
        participants: ["200", "100"],
        hashtags: ["now"],
        cashtags: [],
        urls: [],
        mentions: [],
      },
    });
  });

  it("reads ids of a message that are numbers", () => {
    const [sent] = wire.message().direct_message_events;
    const { message_create } = sent ?? {};
    const numeric = {
      ...sent,
      id: 5001,
      message_create: { ...message_create, target: { recipient_id: 100 }, sender_id: 200 },
    };

    expect(only({ ...wire.message(), direct_message_events: [numeric] })).toEqual(
      only(wire.message()),
    );
    const typing = wire.typing();
    const signals = JSON.parse(
      JSON.stringify(typing).replaceAll(/"(sender_id|recipient_id)":"(\d+)"/g, '"$1":$2'),
    );
    expect(only(signals)).toEqual(only(typing));
  });

  it.each([
    { fields: {}, blocked: undefined },
    { fields: { user_has_blocked: "false" }, blocked: false },
    { fields: { user_has_blocked: "true" }, blocked: true },
    { fields: { user_has_blocked: "true", is_blocked_by: true }, blocked: true },
    // the platform adds `is_blocked_by` only if the account has blocked the author
    { fields: { user_has_blocked: "false", is_blocked_by: true }, blocked: true },
    { fields: { user_has_blocked: "false", is_blocked_by: "100" }, blocked: true },
    { fields: { is_blocked_by: {} }, blocked: true },
    { fields: { user_has_blocked: "false", is_blocked_by: null }, blocked: false },
    { fields: { user_has_blocked: "true", is_blocked_by: "false" }, blocked: true },
    { fields: { is_blocked_by: false }, blocked: false },
  ])("reads from $fields that the author is blocked: $blocked", ({ fields, blocked }) => {
    const event = only({ ...wire.post({ mentions: ["100"] }), ...fields });

    expect("senderIsBlocked" in event ? event.senderIsBlocked : undefined).toBe(blocked);
  });

  it("refuses an id that is a number above 2^53, which has lost digits", () => {
    const body = JSON.stringify(wire.message()).replace('"5001"', "1940000000000000001");

    expect(only(JSON.parse(body))).toMatchObject({
      kind: "unrecognised",
      reason: expect.stringMatching(/or has an id above 2\^53 that is a number/),
    });
  });

  it("recognizes the account's own message, in the lane of its recipient", () => {
    const own = only(wire.message({ from: "100", to: "200", sourceAppId: "77" }));

    expect(own).toMatchObject({ direction: "outbound", lane: "100/200", triggers: ["dm.sent"] });
    expect(own).toMatchObject({ message: { sourceAppId: "77" } });
  });

  test.each([
    { why: "a plain mention", post: { mentions: ["100"] }, triggers: ["post.mentioned"] },
    {
      why: "a reply that mentions is one event with both names",
      post: { mentions: ["100"], inReplyTo: { postId: "1", userId: "100" } },
      triggers: ["post.mentioned", "post.replied"],
    },
    { why: "a quote", post: { quoted: { id: "8", author: "100" } }, triggers: ["post.quoted"] },
    {
      why: "a repost of the account's post",
      post: { reposted: { id: "8", author: "100" } },
      triggers: ["post.reposted"],
    },
    {
      why: "a repost of somebody else's post that mentions the account is not about it",
      post: { reposted: { id: "8", author: "300" }, mentions: ["100"] },
      triggers: [],
    },
    {
      why: "the account's own reply",
      post: { author: "100", inReplyTo: { postId: "1", userId: "200" } },
      triggers: ["post.created", "post.replied"],
    },
  ])("names the triggers of a post: $why", ({ post, triggers }) => {
    for (const dialect of ["post", "tweet"] as const) {
      expect(only(wire.post(post, dialect)).triggers).toEqual(triggers);
    }
  });

  it("reads the complete text and entities of a longform post", () => {
    const event = only(wire.post({ text: "short…", fullText: "x".repeat(500), mentions: ["100"] }));

    expect(event).toMatchObject({ post: { text: "x".repeat(500) }, triggers: ["post.mentioned"] });
  });

  it("prefers an id as text, because the number has lost its end", () => {
    const event = only(wire.post({ id: "1997712707928100864", mentions: ["100"] }));

    expect(event.key).toBe("post:1997712707928100864");
  });

  test.each([
    { type: "follow", key: "follow_events", trigger: "user.followed" },
    { type: "unfollow", key: "follow_events", trigger: "user.unfollowed" },
    { type: "block", key: "block_events", trigger: "user.blocked" },
    { type: "unblock", key: "block_events", trigger: "user.unblocked" },
    { type: "mute", key: "mute_events", trigger: "user.muted" },
    { type: "unmute", key: "mute_events", trigger: "user.unmuted" },
  ])("keys a $type by kind, people and time, since it has no id", ({ type, key, trigger }) => {
    const body = wire.relation(key, type);

    expect(only(body)).toMatchObject({
      key: `${type}:200>100:1760000000000`,
      triggers: [trigger],
      direction: "inbound",
      lane: "100/200",
    });
  });

  test.each([
    { body: wire.like(), kind: "like", key: "like:abc", trigger: "post.liked" },
    {
      body: wire.typing(),
      kind: "typing",
      key: "typing:200>100:1760000000000",
      trigger: "dm.typing",
    },
    { body: wire.read(), kind: "read", key: "read:200>100:1760000000000:5001", trigger: "dm.read" },
    {
      body: wire.deleted("post"),
      kind: "post_deleted",
      key: "post_deleted:9001",
      trigger: "post.deleted",
    },
    {
      body: wire.deleted("tweet"),
      kind: "post_deleted",
      key: "post_deleted:9001",
      trigger: "post.deleted",
    },
    {
      body: wire.revoked(),
      kind: "revoked",
      key: "revoked:77:100:1760000000000",
      trigger: "account.authorization_revoked",
    },
    {
      body: wire.replayDone(),
      kind: "replay_finished",
      key: "replay:33:Complete",
      trigger: "replay.finished",
    },
  ])("reads $kind", ({ body, kind, key, trigger }) => {
    expect(only(body)).toMatchObject({ kind, key, triggers: [trigger] });
  });

  it("splits an array into one event for each element, each with its own body", () => {
    const one = wire.message({ id: "1" });
    const two = wire.message({ id: "2" });
    const both = {
      ...one,
      direct_message_events: [...one.direct_message_events, ...two.direct_message_events],
    };

    const arrivals = translate(both, ARRIVED);

    expect(arrivals.map(({ event }) => event.key)).toEqual(["message:1", "message:2"]);
    for (const { event, body } of arrivals) expect(only(body)).toEqual(event);
  });

  it("gives each event its own body if the delivery has several kinds", () => {
    const mixed = { ...wire.post({}, "tweet"), ...wire.message({ id: "1" }), ...wire.like() };

    const arrivals = translate(mixed, ARRIVED);

    expect(arrivals.map(({ event }) => event.kind)).toEqual(["post", "message", "like"]);
    for (const { event, body } of arrivals) expect(only(body)).toEqual(event);
  });
});

describe("unreadable data", () => {
  test.each<{ body: object; why: string }>([
    { body: { for_user_id: "100", spaces_events: [{}] }, why: "a kind that is not supported" },
    {
      body: { for_user_id: "100", follow_events: [{ type: "adore" }] },
      why: "a shape it does not know",
    },
    { body: { for_user_id: "100", constructor: [] }, why: "a name that every object has" },
    { body: {}, why: "nothing at all" },
  ])("is kept as an unrecognised event: $why", ({ body }) => {
    const event = only(body);

    expect(event).toMatchObject({ kind: "unrecognised", triggers: [] });
    expect(only(structuredClone(body)).key).toBe(event.key);
  });

  it.each(["post_create_events", "tweet_create_events", "direct_message_events"])(
    "is no event if its only key %s has an empty list",
    (key) => {
      expect(translate({ for_user_id: "100", [key]: [] }, ARRIVED)).toEqual([]);
    },
  );

  it("never throws, and gives every event a key", () => {
    const keys = fc.constantFrom("post_create_events", "direct_message_events", "user_event", "x");
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (body) => {
        for (const { event } of translate(body, ARRIVED)) expect(event.key).not.toBe("");
      }),
    );
  });
});
