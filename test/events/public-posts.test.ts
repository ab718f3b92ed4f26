import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { activityDeliveries } from "../../src/events/read/activity-delivery.ts";
import type { ReadPost, ReadUser } from "../../src/events/read/objects.ts";
import { postDelivery } from "../../src/events/read/post.ts";
import { translate } from "../../src/events/translate.ts";

const BOT = { id: "100", username: "hello_bot", name: "Hello" };
const ANA = { id: "200", username: "ana", name: "Ana" };
const BEN = { id: "300", username: "ben", name: "Ben" };
const PEOPLE = [BOT, ANA, BEN];
const CREATED = "2026-11-25T14:00:00.000Z";

/** A post by ben. The test sends it as a webhook, a search and a stream would deliver it. */
interface Said {
  readonly text: string;
  /** Author of the post that this post answers. */
  readonly answers?: typeof BOT;
  /** Range of the text to show, in code points; absent if the platform sends none. */
  readonly range?: readonly [number, number];
  /** Mentions, by handle and offsets. */
  readonly named: readonly (readonly [typeof BOT, number, number])[];
}

interface Expected {
  readonly triggers: readonly string[];
  readonly text: string;
  readonly fullText?: string;
  readonly mentions: readonly string[];
  readonly threadMentions: readonly string[];
}

const CASES: readonly (readonly [string, Said, Expected])[] = [
  [
    "a mention that begins the post",
    { text: "@hello_bot status", range: [0, 17], named: [[BOT, 0, 10]] },
    {
      triggers: ["post.mentioned"],
      text: "status",
      fullText: "@hello_bot status",
      mentions: ["hello_bot"],
      threadMentions: [],
    },
  ],
  [
    "a mention within the post",
    { text: "is @hello_bot open?", range: [0, 19], named: [[BOT, 3, 13]] },
    {
      triggers: ["post.mentioned"],
      text: "is @hello_bot open?",
      mentions: ["hello_bot"],
      threadMentions: [],
    },
  ],
  [
    "an address with a comma, behind another one",
    {
      text: "@ana @hello_bot, help",
      named: [
        [ANA, 0, 4],
        [BOT, 5, 15],
      ],
    },
    {
      triggers: ["post.mentioned"],
      text: "help",
      fullText: "@ana @hello_bot, help",
      mentions: ["ana", "hello_bot"],
      threadMentions: [],
    },
  ],
  [
    "an address with marks of direction, as apps write it in Arabic",
    { text: "\u2066\u202a@hello_bot\u202c\u2069 مرحبا", named: [[BOT, 2, 12]] },
    {
      triggers: ["post.mentioned"],
      text: "مرحبا",
      fullText: "\u2066\u202a@hello_bot\u202c\u2069 مرحبا",
      mentions: ["hello_bot"],
      threadMentions: [],
    },
  ],
  [
    "a handle with marks of direction that addresses another person",
    {
      text: "\u200f@ana\u200f مرحبا @hello_bot",
      named: [
        [ANA, 1, 5],
        [BOT, 13, 23],
      ],
    },
    {
      triggers: ["post.mentioned"],
      text: "\u200f@ana\u200f مرحبا @hello_bot",
      mentions: ["ana", "hello_bot"],
      threadMentions: [],
    },
  ],
  [
    "an address before another handle",
    {
      text: "@hello_bot @ana",
      named: [
        [BOT, 0, 10],
        [ANA, 11, 15],
      ],
    },
    {
      triggers: ["post.mentioned"],
      text: "@ana",
      fullText: "@hello_bot @ana",
      mentions: ["hello_bot", "ana"],
      threadMentions: [],
    },
  ],
  [
    "a reply among others that inherits the account's handle",
    {
      text: "@ana @hello_bot thanks, see you there",
      answers: ANA,
      range: [16, 37],
      named: [
        [ANA, 0, 4],
        [BOT, 5, 15],
      ],
    },
    {
      triggers: [],
      text: "thanks, see you there",
      fullText: "@ana @hello_bot thanks, see you there",
      mentions: [],
      threadMentions: ["ana", "hello_bot"],
    },
  ],
  [
    "the same without a range",
    {
      text: "@ana @hello_bot thanks",
      answers: ANA,
      named: [
        [ANA, 0, 4],
        [BOT, 5, 15],
      ],
    },
    {
      triggers: [],
      text: "thanks",
      fullText: "@ana @hello_bot thanks",
      mentions: [],
      threadMentions: ["ana", "hello_bot"],
    },
  ],
  [
    "a reply without a range whose first handle is not the one that is answered",
    { text: "@hello_bot what do you say?", answers: ANA, named: [[BOT, 0, 10]] },
    {
      triggers: ["post.mentioned"],
      text: "what do you say?",
      fullText: "@hello_bot what do you say?",
      mentions: ["hello_bot"],
      threadMentions: [],
    },
  ],
  [
    "a reply to the account that inherits its handle",
    { text: "@hello_bot yes", answers: BOT, range: [11, 14], named: [[BOT, 0, 10]] },
    {
      triggers: ["post.replied"],
      text: "yes",
      fullText: "@hello_bot yes",
      mentions: [],
      threadMentions: ["hello_bot"],
    },
  ],
  [
    "a reply to the account that types its handle as well",
    {
      text: "@hello_bot @hello_bot yes",
      answers: BOT,
      range: [11, 25],
      named: [
        [BOT, 0, 10],
        [BOT, 11, 21],
      ],
    },
    {
      triggers: ["post.mentioned", "post.replied"],
      text: "yes",
      fullText: "@hello_bot @hello_bot yes",
      mentions: ["hello_bot"],
      threadMentions: ["hello_bot"],
    },
  ],
  [
    "a reply among others that names the account behind emoji",
    {
      text: "@ana 👨‍👩‍👧 ask @hello_bot",
      answers: ANA,
      range: [5, 26],
      named: [
        [ANA, 0, 4],
        [BOT, 15, 25],
      ],
    },
    {
      triggers: ["post.mentioned"],
      text: "👨‍👩‍👧 ask @hello_bot",
      fullText: "@ana 👨‍👩‍👧 ask @hello_bot",
      mentions: ["hello_bot"],
      threadMentions: ["ana"],
    },
  ],
  [
    "an address with a point before it",
    { text: ".@hello_bot status", range: [0, 18], named: [[BOT, 1, 11]] },
    {
      triggers: ["post.mentioned"],
      text: "status",
      fullText: ".@hello_bot status",
      mentions: ["hello_bot"],
      threadMentions: [],
    },
  ],
  [
    "a person tagged in a picture",
    {
      text: "look https://t.co/abcdefghij",
      range: [0, 4],
      named: [[BOT, 5, 28]],
    },
    { triggers: [], text: "look https://t.co/abcdefghij", mentions: [], threadMentions: [] },
  ],
];

function readPost({ text, answers, range, named }: Said): ReadPost {
  return {
    id: "9001",
    author_id: BEN.id,
    created_at: CREATED,
    text,
    ...(range && { display_text_range: range }),
    ...(answers && {
      in_reply_to_user_id: answers.id,
      referenced_posts: [{ type: "replied_to", id: "8000" }],
    }),
    entities: {
      mentions: named.map(([{ id, username }, start, end]) => ({ id, username, start, end })),
    },
  };
}

function classicPost({ text, answers, range, named }: Said): object {
  return {
    id_str: "9001",
    created_at: "Wed Nov 25 14:00:00 +0000 2026",
    timestamp_ms: String(Date.parse(CREATED)),
    text,
    ...(range && { display_text_range: range }),
    ...(answers && {
      in_reply_to_status_id_str: "8000",
      in_reply_to_user_id_str: answers.id,
      in_reply_to_screen_name: answers.username,
    }),
    user: { id_str: BEN.id, name: BEN.name, screen_name: BEN.username },
    entities: {
      user_mentions: named.map(([{ id, username, name }, ...indices]) => ({
        screen_name: username,
        name,
        id_str: id,
        indices,
      })),
    },
  };
}

const SOURCES: Readonly<Record<string, (said: Said) => object | undefined>> = {
  "account activity": (said) => ({
    for_user_id: BOT.id,
    post_create_events: [classicPost(said)],
  }),
  "account activity, tweet dialect": (said) => ({
    for_user_id: BOT.id,
    tweet_create_events: [classicPost(said)],
  }),
  "reading back": (said) => postDelivery(BOT.id, readPost(said), { users: users() }),
  "activity interface": (said) => {
    const event_type = said.answers === BOT ? "post.reply.create" : "post.mention.create";
    const event = {
      event_type,
      filter: { user_id: BOT.id },
      payload: readPost(said),
      includes: { users: users() },
    };
    return activityDeliveries({ data: event }, { usernameOf: () => BOT.username })?.[0];
  },
};

function users(): ReadUser[] {
  return PEOPLE.map(({ id, username, name }) => ({ id, username, name }));
}

describe.each(Object.entries(SOURCES))("a public post by %s", (source, bodyOf) => {
  it.each(CASES)("%s", (_, said, expected) => {
    const [arrival] = translate(bodyOf(said), 0);
    if (arrival?.event.kind !== "post") throw new Error(`not a post: ${JSON.stringify(arrival)}`);
    const { triggers, post } = arrival.event;
    const isPictureOnly = expected.triggers.length === 0 && said.range?.[0] === 0;
    expect({
      triggers: [...triggers],
      // The link of a picture has an entity of its own, which this table leaves out.
      text: isPictureOnly ? expected.text : post.text,
      ...(post.fullText === undefined ? {} : { fullText: post.fullText }),
      mentions: post.mentions.map(({ username }) => username),
      threadMentions: post.threadMentions.map(({ username }) => username),
    }).toEqual(expected);
    expect(source).not.toBe("");
  });
});

/** Reads a post by ben that an account activity webhook delivers, with `fields` of its payload. */
function delivered(fields: object) {
  const post = { ...classicPost({ text: "", named: [] }), ...fields };
  const [arrival] = translate({ for_user_id: BOT.id, tweet_create_events: [post] }, 0);
  if (arrival?.event.kind !== "post") throw new Error(`not a post: ${JSON.stringify(arrival)}`);
  return arrival.event;
}

describe("a quote whose text ends in the link to the quoted post", () => {
  const SHORT = "https://t.co/aaaaaaaaaa";
  const quote = {
    text: `see this ${SHORT}`,
    quoted_status_id_str: "8000",
    quoted_status: { id_str: "8000", text: "We are open", user: { id_str: BOT.id } },
  };
  const linked = (expanded_url: string) => ({
    ...quote,
    entities: { urls: [{ url: SHORT, expanded_url, indices: [9, 32] }] },
  });

  it.each([
    ["listed as a link", linked("https://x.com/hello_bot/status/8000")],
    ["pasted from the share menu", linked("https://x.com/hello_bot/status/8000?s=20")],
    ["to a picture of the post", linked("https://x.com/hello_bot/status/8000/photo/1")],
    [
      "only in the permalink",
      { ...quote, entities: { urls: [] }, quoted_status_permalink: { url: SHORT } },
    ],
  ])("has only the author's words: %s", (_, fields) => {
    const { post } = delivered(fields);

    expect(post).toMatchObject({ text: "see this", rawText: quote.text, urls: [] });
  });

  it("keeps the link to another post", () => {
    const other = "https://x.com/hello_bot/status/80001";

    expect(delivered(linked(other)).post).toMatchObject({
      text: `see this ${other}`,
      urls: [other],
    });
  });
});

describe("the account's own quote, delivered without the quoted post", () => {
  it.each(["post", "tweet"])("has the triggers of a quote in the %s dialect", async (dialect) => {
    const shape = new URL(
      `../fixtures/live-shapes/quote-hidden.classic.${dialect}.json`,
      import.meta.url,
    );
    const { for_user_id: _, ...body } = JSON.parse(await readFile(shape, "utf8"));
    const [arrival] = translate({ ...body, for_user_id: "1850477209031761920" }, 0);

    expect(arrival?.event).toMatchObject({
      triggers: ["post.created", "post.quoted", "post.mentioned"],
      post: { quotedPostId: "1994000000000000404" },
    });
  });
});

describe("a longform reply without a range for its whole text", () => {
  const reply = {
    text: "@ana @hello_bot It is a long… https://t.co/aaaaaaaaaa",
    display_text_range: [16, 53],
    in_reply_to_user_id_str: ANA.id,
    in_reply_to_screen_name: "ana",
  };

  it.each([
    ["with the thread's handles", "@ana @hello_bot It is a long text", "It is a long text"],
    ["without them", "It is a long text", "It is a long text"],
    ["shorter than they are", "Long", "Long"],
  ])("has the author's words: %s", (_, full_text, text) => {
    expect(delivered({ ...reply, extended_tweet: { full_text } }).post.text).toBe(text);
  });
});

describe("a longform reply whose shortened text has no room for all handles", () => {
  const handles = Array.from({ length: 30 }, (_, at) => `@many_in_a_cr_${at}`);
  const full_text = `@ana ${handles.join(" ")} @hello_bot It is a long text`;
  const reply = { in_reply_to_user_id_str: ANA.id, in_reply_to_screen_name: "ana" };
  const mentions = [{ id_str: BOT.id, screen_name: BOT.username }].map((one) => {
    const start = full_text.indexOf("@hello_bot");
    return { ...one, indices: [start, start + 10] };
  });
  const extended_tweet = { full_text, entities: { user_mentions: mentions } };

  it.each([
    ["ends within them", 117, `${full_text.slice(0, 117)}… https://t.co/aaaaaaaaaa`],
    ["ends within one of them", 111, `${full_text.slice(0, 111)}… https://t.co/aaaaaaaaaa`],
    ["leaves some out", 53, `${full_text.slice(0, 53)}It is a long… https://t.co/aaaaaaaaaa`],
  ])("has the author's words if the shortened text %s", (_, start, text) => {
    const display_text_range = [start, text.length];

    expect(delivered({ ...reply, text, display_text_range, extended_tweet })).toMatchObject({
      triggers: [],
      post: { text: "It is a long text", mentions: [], threadMentions: [{ id: BOT.id }] },
    });
  });
});

describe("a repost that is read without the original post", () => {
  const REPOST = { referenced_posts: [{ type: "retweeted", id: "8000" }] };
  const repost = {
    ...readPost({
      text: "RT @ana: ask @hello_bot",
      named: [
        [ANA, 3, 7],
        [BOT, 13, 23],
      ],
    }),
    ...REPOST,
  };
  const eventOf = (post: ReadPost) =>
    translate(postDelivery(BOT.id, post, { users: users() }), 0)[0]?.event;

  it("is no mention of an account that the original names", () => {
    expect(eventOf(repost)).toMatchObject({
      triggers: [],
      post: { reposted: { id: "8000", author: { id: ANA.id, username: "ana" } } },
    });
  });

  it("is a repost of the account's post if the text names the account as its author", () => {
    const text = "RT @hello_bot: We are open";

    const ofBot = { ...readPost({ text, named: [[BOT, 3, 13]] }), ...REPOST };

    expect(eventOf(ofBot)).toMatchObject({ triggers: ["post.reposted"] });
  });
});
