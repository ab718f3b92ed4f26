import type { TwitterApi } from "twitter-api-v2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TwitterApiSandbox, startWithTwitterApi } from "./twitter-api-sandbox.ts";

let fixture: TwitterApiSandbox;
beforeAll(async () => {
  fixture = await startWithTwitterApi();
});
afterAll(() => fixture.close());

/** Creates a further person with a client. */
async function person(username: string): Promise<{ id: string; client: TwitterApi }> {
  const id = await fixture.sandbox.control.user(username);
  return { id, client: await fixture.client(id) };
}

describe("npm twitter-api-v2, unmodified: Resources and their fields", () => {
  it("looks up one post with all includes", async () => {
    const [asker, answerer] = [await person("asker"), await person("answerer")];
    const { data: root } = await asker.client.v2.tweet("Hello @answerer, see #news");
    const { data: reply } = await answerer.client.v2.reply("hello", root.id);
    const result = await fixture.asAppClient.v2.singleTweet(reply.id, {
      expansions: ["author_id", "referenced_tweets.id", "referenced_tweets.id.author_id"],
      "tweet.fields": ["created_at", "conversation_id", "entities", "in_reply_to_user_id"],
      "user.fields": ["public_metrics", "verified"],
    });

    expect(result.data).toMatchObject({
      author_id: answerer.id,
      conversation_id: root.id,
      in_reply_to_user_id: asker.id,
      edit_history_tweet_ids: [reply.id],
      referenced_tweets: [{ type: "replied_to", id: root.id }],
    });
    expect(result.includes?.tweets).toMatchObject([
      { id: root.id, entities: { hashtags: [{ tag: "news" }] } },
    ]);
    expect(result.includes?.users?.map(({ username }) => username).sort()).toEqual([
      "answerer",
      "asker",
    ]);
    expect(result.includes?.users?.[0]?.public_metrics).toMatchObject({ tweet_count: 1 });
  });

  it("looks up several posts, and reports the missing ones", async () => {
    const { data: one } = await fixture.asPersonClient.v2.tweet("one of two");
    const result = await fixture.asAppClient.v2.tweets([one.id, "20"]);

    expect(result.data.map(({ id }) => id)).toEqual([one.id]);
    expect(result.errors).toMatchObject([
      { title: "Not Found Error", resource_type: "tweet", resource_id: "20", parameter: "ids" },
    ]);
  });

  it("pages through recent search, and then requests newer posts", async () => {
    for (let n = 0; n < 11; n += 1) await fixture.asPersonClient.v2.tweet(`a herring, number ${n}`);
    const result = await fixture.asAppClient.v2.search("herring", {
      expansions: ["author_id"],
      max_results: 10,
    });
    const newest = result.meta.newest_id;
    await result.fetchNext();
    await fixture.asPersonClient.v2.tweet("the last herring");
    const newer = await fixture.asAppClient.v2.search("herring", { since_id: newest });

    expect(result.tweets).toHaveLength(11);
    expect(result.done).toBe(true);
    expect(newer.tweets.map(({ text }) => text)).toEqual(["the last herring"]);
    expect((await fixture.asAppClient.v2.search("nothing of the sort")).tweets).toEqual([]);
  });

  it("iterates over a user's posts, mentions and the home timeline", async () => {
    const { id: author, client } = await person("busy");
    for (let n = 0; n < 7; n += 1) await client.v2.tweet(`@hello_bot take ${n}`);
    await fixture.asPersonClient.v2.follow(fixture.person, author);
    const texts: string[] = [];
    for await (const { text } of await fixture.asAppClient.v2.userTimeline(author, {
      max_results: 5,
    })) {
      texts.push(text);
    }
    const mentions = await fixture.asAppClient.v2.userMentionTimeline(fixture.bot, {
      max_results: 5,
    });
    const home = await fixture.asPersonClient.v2.homeTimeline({
      exclude: ["replies"],
      max_results: 7,
    });

    expect(texts).toHaveLength(7);
    expect(mentions.tweets[0]?.text).toBe("@hello_bot take 6");
    expect(home.tweets.some(({ text }) => text === "@hello_bot take 0")).toBe(true);
  });
});

describe("npm twitter-api-v2, unmodified: writing", () => {
  it("posts a thread, each a reply to the one before", async () => {
    const thread = await fixture.asBotClient.v2.tweetThread(["first", "second", "third"]);
    const ids = thread.map(({ data }) => data.id);
    const last = await fixture.asAppClient.v2.singleTweet(ids[2] ?? "", {
      "tweet.fields": ["conversation_id", "referenced_tweets"],
    });

    expect(last.data).toMatchObject({
      conversation_id: ids[0],
      referenced_tweets: [{ type: "replied_to", id: ids[1] }],
    });
  });

  it("quotes, likes, reposts, and undoes each", async () => {
    const { data: post } = await fixture.asPersonClient.v2.tweet("worth it");
    const { data: quote } = await fixture.asBotClient.v2.quote("agreed", post.id);
    const bot = fixture.asBotClient.v2;
    const done = [await bot.like(fixture.bot, post.id), await bot.retweet(fixture.bot, post.id)];
    const likers = await fixture.asPersonClient.v2.tweetLikedBy(post.id, { asPaginator: true });
    const reposters = await fixture.asAppClient.v2.tweetRetweetedBy(post.id);
    const liked = await bot.userLikedTweets(fixture.bot);
    const undone = [
      await bot.unlike(fixture.bot, post.id),
      await bot.unretweet(fixture.bot, post.id),
    ];
    const { data } = await fixture.asAppClient.v2.singleTweet(post.id, {
      "tweet.fields": ["public_metrics"],
    });

    expect(done.map((response) => response.data)).toMatchObject([
      { liked: true },
      { retweeted: true },
    ]);
    expect(likers.users.map(({ id }) => id)).toEqual([fixture.bot]);
    expect(reposters.data.map(({ id }) => id)).toEqual([fixture.bot]);
    expect(liked.tweets.map(({ id }) => id)).toEqual([post.id]);
    expect(undone.map((response) => response.data)).toEqual([
      { liked: false },
      { retweeted: false },
    ]);
    expect(data.public_metrics).toMatchObject({ like_count: 0, retweet_count: 0, quote_count: 1 });
    expect((await bot.quotes(post.id)).tweets.map(({ id }) => id)).toEqual([quote.id]);
  });

  it("hides a reply and deletes a post", async () => {
    const { data: post } = await fixture.asPersonClient.v2.tweet("ask me anything");
    const { data: reply } = await fixture.asBotClient.v2.reply("why", post.id);

    expect((await fixture.asPersonClient.v2.hideReply(reply.id, true)).data).toEqual({
      hidden: true,
    });
    expect((await fixture.asPersonClient.v2.deleteTweet(post.id)).data).toEqual({ deleted: true });
    await expect(fixture.asAppClient.v2.singleTweet(post.id)).rejects.toMatchObject({ code: 404 });
    expect((await fixture.asAppClient.v2.singleTweet(reply.id)).data.text).toBe("@alice why");
  });

  it("posts a poll", async () => {
    const { data } = await fixture.asPersonClient.v2.tweet("tea or coffee?", {
      poll: { options: ["tea", "coffee"], duration_minutes: 60 },
    });
    const { includes } = await fixture.asAppClient.v2.singleTweet(data.id, {
      expansions: ["attachments.poll_ids"],
      "poll.fields": ["duration_minutes", "voting_status"],
    });

    expect(includes?.polls).toMatchObject([
      { duration_minutes: 60, voting_status: "open", options: [{ label: "tea", votes: 0 }, {}] },
    ]);
  });
});
