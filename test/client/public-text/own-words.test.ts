import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ownWords } from "../../../src/client/public-text/own-words.ts";
import { UsageError } from "../../../src/errors.ts";

const SHAPES = "test/fixtures/live-shapes";

/** Returns the post in a recorded delivery of the live platform. */
function postIn(name: string): object {
  const body: unknown = JSON.parse(readFileSync(`${SHAPES}/${name}.json`, "utf8"));
  const { post_create_events: posts, tweet_create_events: tweets, data } = body as Recorded;
  const post = data?.payload ?? (posts ?? tweets)?.[0];
  if (post === undefined) throw new Error(`${name} has no post`);
  return post;
}

interface Recorded {
  readonly data?: { readonly payload: object };
  readonly post_create_events?: readonly object[];
  readonly tweet_create_events?: readonly object[];
}

const BREAD = "The queue begins at seven and the bread is gone by nine, so come early.";

it.each([
  ["mention", "@kiosk_bot do you open on Sunday?"],
  ["reply", "they were shut last week"],
  ["reply-typed-handle", "@kiosk_bot and on Monday?"],
  ["longform-reply", Array.from({ length: 6 }, () => BREAD).join(" ")],
  ["quote", "@kiosk_bot is this still right?"],
  ["picture-tag", "Our corner this morning"],
])("%s has the same words in the 1.1 and the v2 shape, in both dialects", (shape, words) => {
  const texts = ["classic.post", "classic.tweet", "activity.post", "activity.tweet"].map((kind) =>
    ownWords(postIn(`${shape}.${kind}`)),
  );

  expect(texts).toEqual([words, words, words, words]);
});

it.each([
  { post: { text: "hello" }, words: "hello", why: "a bare text is the author's" },
  {
    post: { text: "@ana hello" },
    words: "@ana hello",
    why: "so are handles of a post that is no reply",
  },
  {
    post: { full_text: "@ana hello", display_text_range: [5, 10] },
    words: "hello",
    why: "a 1.1 look-up",
  },
  {
    post: { text: "@ana hello https://t.co/abc", display_text_range: [5, 11] },
    words: "hello",
    why: "a range may end behind the space before an added link",
  },
  {
    post: { text: "@ana 👋🏽 hi", display_text_range: [5, 10] },
    words: "👋🏽 hi",
    why: "the range counts code points",
  },
  {
    post: {
      text: "@ana @bot hello",
      in_reply_to_user_id: "7",
      entities: { mentions: [{ start: 0, end: 4, username: "ana", id: "7" }] },
    },
    words: "hello",
    why: "a v2 reply without a range, by its mentions",
  },
  {
    post: { text: "@ana @bot hello", in_reply_to_user_id_str: "7", in_reply_to_screen_name: "Ana" },
    words: "hello",
    why: "a 1.1 reply without a range, by the name that it answers",
  },
  {
    post: { text: "@bot hello", in_reply_to_user_id: "7", author_id: "7" },
    words: "@bot hello",
    why: "an answer to oneself has no handles in front",
  },
  {
    post: { text: "@ana hello", display_text_range: [40, 2], in_reply_to_user_id: "7" },
    words: "@ana hello",
    why: "a range outside of the text counts for nothing",
  },
  {
    post: { text: "@ana a &lt; b &amp; c", display_text_range: [5, 21] },
    words: "a < b & c",
    why: "as typed",
  },
  {
    post: {
      text: "see https://t.co/abc",
      entities: { urls: [{ url: "https://t.co/abc", expanded_url: "https://shop.example/a" }] },
    },
    words: "see https://shop.example/a",
    why: "links lead where they say",
  },
  ...["", "?s=20", "/photo/1", "#m"].map((rest) => ({
    post: {
      text: "look https://t.co/abc",
      referenced_posts: [{ type: "quoted", id: "123" }],
      entities: {
        urls: [
          { url: "https://t.co/abc", expanded_url: `https://x.example/ana/status/123${rest}` },
        ],
      },
    },
    words: "look",
    why: "the platform added the link to the quoted post",
  })),
  {
    post: {
      text: "look https://t.co/abc",
      quoted_status_id_str: "123",
      quoted_status_permalink: { url: "https://t.co/abc" },
      entities: { urls: [] },
    },
    words: "look",
    why: "so it did if only the permalink shows the link",
  },
  {
    post: {
      text: "look https://t.co/abc",
      quoted_status_id_str: "12",
      entities: {
        urls: [{ url: "https://t.co/abc", expanded_url: "https://x.example/ana/status/123" }],
      },
    },
    words: "look https://x.example/ana/status/123",
    why: "the author typed the link to another post",
  },
])("$post has the words '$words': $why", ({ post, words }) => {
  expect(ownWords(post)).toBe(words);
});

it("an object without a text is refused, with the fields that it would need", () => {
  expect(() => ownWords({ id: "1" })).toThrow(UsageError);
  expect(() => ownWords({ id: "1" })).toThrow(/no text/);
});

it("has the link at its end if the media key of the link is null", () => {
  const link = { start: 4, end: 18, url: "https://t.co/a", expanded_url: "https://shop.example" };
  const entities = { urls: [{ ...link, media_key: null }] };

  expect(ownWords({ text: "see https://t.co/a", display_text_range: [0, 18], entities })).toBe(
    "see https://shop.example",
  );
});
