import { afterEach, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import type { Dialect } from "../../../src/protocol/dialects.ts";
import { type Handler, stubServer, type StubServer } from "../support/stub-server.ts";

let server: StubServer;
afterEach(() => server.close());

async function clientIn(dialect: Dialect, handle: Handler) {
  server = await stubServer(handle);
  const credentials = { type: "bearer", bearerToken: "token" } as const;
  return createClient({ baseUrl: server.url, dialect, credentials });
}

const TWEET_ANSWER = {
  data: [
    {
      id: "1",
      text: "hi",
      edit_history_tweet_ids: ["1"],
      public_metrics: { retweet_count: 2, reply_count: 0, like_count: 0, quote_count: 0 },
      referenced_tweets: [{ type: "quoted", id: "2" }],
    },
  ],
  includes: {
    tweets: [{ id: "2", text: "ho", public_metrics: { retweet_count: 7 } }],
    users: [{ id: "9", name: "A", username: "a", public_metrics: { tweet_count: 3 } }],
  },
  meta: { result_count: 1 },
};

const SEARCH = {
  query: "a",
  postFields: ["public_metrics", "referenced_posts"],
  expansions: ["referenced_posts.id", "author_id"],
  userFields: ["public_metrics"],
} as const;

it("sends names of the tweet dialect, and returns those of the post dialect", async () => {
  const client = await clientIn("tweet", () => ({ body: TWEET_ANSWER }));
  const { data, includes } = await client.posts.searchRecent(SEARCH);
  expect(decodeURIComponent(server.seen[0]?.target ?? "")).toBe(
    "/2/tweets/search/recent?query=a&tweet.fields=public_metrics,referenced_tweets" +
      "&user.fields=public_metrics&expansions=referenced_tweets.id,author_id",
  );
  expect(data[0]?.public_metrics.repost_count).toBe(2);
  expect(data[0]?.edit_history_post_ids).toEqual(["1"]);
  expect(data[0]?.referenced_posts).toEqual([{ type: "quoted", id: "2" }]);
  expect(includes.posts[0]?.public_metrics.repost_count).toBe(7);
  expect(includes.users[0]?.public_metrics.post_count).toBe(3);
});

it("sends names of the post dialect, and also reads an answer in the other dialect", async () => {
  const client = await clientIn("post", () => ({ body: TWEET_ANSWER }));
  const { data } = await client.posts.searchRecent(SEARCH);
  expect(decodeURIComponent(server.seen[0]?.target ?? "")).toBe(
    "/2/posts/search/recent?query=a&post.fields=public_metrics,referenced_posts" +
      "&user.fields=public_metrics&expansions=referenced_posts,author_id",
  );
  expect(data[0]?.public_metrics.repost_count).toBe(2);
});

it("names the budgets equally in both dialects", async () => {
  const headers = {
    "x-rate-limit-limit": "450",
    "x-rate-limit-remaining": "449",
    "x-rate-limit-reset": "1767226500",
  };
  const client = await clientIn("tweet", () => ({ headers, body: TWEET_ANSWER }));
  await client.posts.lookup(["1"]);
  expect(client.rateLimits.get("GET /2/posts")?.window?.remaining).toBe(449);
});

it("names a missing field of an answer", async () => {
  const client = await clientIn("post", () => ({ body: { data: [{ id: "1", text: "hi" }] } }));
  const call = client.posts.lookup(["1"], { postFields: ["created_at"] });
  await expect(call).rejects.toThrow("GET /2/posts answered 200, but data[0] lacks created_at");
});
