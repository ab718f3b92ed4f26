import { beforeAll, describe, expect, it } from "vitest";
import type { AccountEvent } from "../../src/events/event.ts";
import { activityDeliveries } from "../../src/events/read/activity-delivery.ts";
import { translate } from "../../src/events/translate.ts";
import { wireOf } from "../../src/events/wire.ts";
import { DATA_WORDS, EVENT_WORDS } from "../../src/protocol/dialects.ts";
import { renameFields } from "../../src/protocol/rename-keys.ts";
import { deliveredPayloads } from "./payloads.ts";
import { ACCOUNT_ACTIVITY, ACTIVITY_INTERFACE, ANA, BOT } from "./recordings.ts";

const ARRIVED_AT = 1;

function read(body: object): readonly AccountEvent[] {
  const deliveries = activityDeliveries(body, { usernameOf: () => "hello_bot" }) ?? [body];
  return deliveries.flatMap((one) => translate(one, ARRIVED_AT).map(({ event }) => event));
}

const FROM_ANA = {
  accountId: BOT,
  direction: "inbound",
  lane: `${BOT}/${ANA}`,
  sender: { id: ANA },
};
const BY_BOT = {
  accountId: BOT,
  direction: "outbound",
  lane: `${BOT}/${ANA}`,
  sender: { id: BOT },
};

describe("recorded account activity", () => {
  it.each([
    ["follow", "user.followed"],
    ["unfollow", "user.unfollowed"],
    ["block", "user.blocked"],
    ["unblock", "user.unblocked"],
    ["mute", "user.muted"],
    ["unmute", "user.unmuted"],
  ])("%s is read", (type, trigger) => {
    expect(read(Object(ACCOUNT_ACTIVITY)[type])).toMatchObject([
      { ...BY_BOT, at: 1_517_588_749_178, triggers: [trigger], target: { id: ANA } },
    ]);
  });

  it.each([
    ["typing", { ...FROM_ANA, at: 1_518_127_183_443, triggers: ["dm.typing"] }],
    ["read", { ...FROM_ANA, triggers: ["dm.read"], lastReadId: "963085315333238788" }],
    ["revoke", { at: Date.parse("2018-05-24T09:48:12Z"), accountId: BOT, appId: "13090192" }],
    ["delete", { triggers: ["post.deleted"], postId: "1045405559317569537" }],
    ["like", { ...FROM_ANA, triggers: ["post.liked"], post: { id: "978310000000000001" } }],
    ["message", { ...FROM_ANA, message: { text: "Hello", sourceAppName: "An app" } }],
    [
      "picture",
      { ...FROM_ANA, message: { text: "", mediaUrl: "https://pictures.example/b.jpg", urls: [] } },
    ],
    ["quickReply", { ...FROM_ANA, triggers: ["dm.received"], message: { text: "Red" } }],
  ] as const)("%s is read", (name, expected) => {
    expect(read(Object(ACCOUNT_ACTIVITY)[name])).toMatchObject([expected]);
  });
});

describe("a recorded body of the activity interface", () => {
  it.each([
    [
      "mention",
      {
        ...FROM_ANA,
        triggers: ["post.mentioned"],
        post: { text: "hey @hello_bot", mentions: [{ id: BOT }] },
      },
    ],
    ["delete", { triggers: ["post.deleted"], postId: "2080761269309813134" }],
    ["like", { ...BY_BOT, at: 1_784_927_565_236, post: { text: "Great guide" } }],
    ["follow", { ...FROM_ANA, at: ARRIVED_AT, triggers: ["user.followed"], target: { id: BOT } }],
    ["unfollow", { ...FROM_ANA, at: ARRIVED_AT, triggers: ["user.unfollowed"] }],
    ["message", { ...FROM_ANA, at: 1_784_928_224_372, message: { text: "hello!" } }],
    ["revoke", { accountId: BOT, triggers: ["account.authorization_revoked"], appId: "29820954" }],
  ] as const)("%s is read", (name, expected) => {
    expect(read(ACTIVITY_INTERFACE[name])).toMatchObject([expected]);
  });
});

/** Texts that an app chooses for its subscription, and copies of numbers as text. They are no part of the form. */
const IGNORED = /^(?:tag|direction|\w+_str)$/;

/** Paths of a recorded body that a body of the sandbox lacks, or has with another type of value. */
function differences(recorded: unknown, sent: unknown, path = ""): readonly string[] {
  if (Array.isArray(recorded)) {
    if (!Array.isArray(sent)) return [path];
    return recorded.length === 0 ? [] : differences(recorded[0], sent[0], `${path}[]`);
  }
  const fields = wireOf(recorded);
  if (fields === undefined) return typeof recorded === typeof sent ? [] : [path];
  const others = wireOf(sent);
  if (others === undefined) return [path];
  // The keys of these maps are ids.
  if (/(?:^|\.)(?:users|apps)$/.test(path)) {
    return differences(Object.values(fields)[0], Object.values(others)[0], `${path}.*`);
  }
  return Object.entries(fields).flatMap(([key, value]) =>
    IGNORED.test(key) ? [] : differences(value, others[key], path === "" ? key : `${path}.${key}`),
  );
}

const TWEET_WORDS = new Map(
  Object.entries({ ...DATA_WORDS, ...EVENT_WORDS }).map(([post, tweet]) => [tweet, post]),
);

describe("the sandbox beside recorded bodies", () => {
  let sent: readonly object[];
  beforeAll(async () => {
    sent = await deliveredPayloads();
  });

  /** Differences from the most similar body of the same event type. */
  function differencesOf(body: object): readonly string[] {
    const recorded = renameFields(body, TWEET_WORDS);
    const kindOf = (one: object): unknown =>
      wireOf(Object(one).data)?.["event_type"] ??
      Object.keys(one).find((key) => /_event/.test(key));
    return sent
      .filter((one) => kindOf(one) === kindOf(recorded))
      .map((one) => differences(recorded, one))
      .reduce((best, one) => (one.length < best.length ? one : best));
  }

  it.each(Object.entries(ACCOUNT_ACTIVITY).filter(([name]) => name !== "quickReply"))(
    "has all fields of account activity: %s",
    (_, body) => {
      // Only older deliveries had this field of people.
      const older = /^users\.\*\.profile_image_url$/;
      expect(differencesOf(body).filter((path) => !older.test(path))).toEqual([]);
    },
  );

  // The published API description has another form of likes and relations, and no event of type `oauth.revoke`.
  it.each([
    ["mention", ["data.includes.posts", "data.payload.paid_partnership"]],
    ["delete", ["data.includes"]],
    ["like", ["data.payload.liked_tweet_author_id", "data.payload.timestamp_ms"]],
    ["follow", ["data.payload.source.data", "data.payload.target.data"]],
    ["unfollow", ["data.payload.source.data", "data.payload.target.data"]],
  ] as const)("differs from the activity interface's examples only in: %s", (name, listed) => {
    const optional = /\.users\[\]\.(?:affiliation|profile_banner_url|profile_geo_enrichment)$/;
    const paths = differencesOf(ACTIVITY_INTERFACE[name]).filter((path) => !optional.test(path));
    expect([...paths].sort()).toEqual(listed);
  });
});
