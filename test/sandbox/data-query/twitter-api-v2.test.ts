import { TwitterApi } from "twitter-api-v2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LeadingAgent } from "../../support/leading-agent.ts";
import { startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

let fixture: DataSandbox;
let agent: LeadingAgent;
let bot: TwitterApi;
let person: TwitterApi;
let reader: TwitterApi;
beforeEach(async () => {
  fixture = await startDataSandbox({}, { dialect: "tweet" });
  agent = new LeadingAgent(fixture.sandbox.url);
  const as = async (userId: string): Promise<TwitterApi> => {
    const tokens = await fixture.sandbox.control.tokens(userId, fixture.app.app_id);
    return new TwitterApi(
      {
        appKey: fixture.app.consumer_key,
        appSecret: fixture.app.consumer_secret,
        accessToken: tokens.access_token,
        accessSecret: tokens.access_token_secret,
      },
      { httpAgent: agent },
    );
  };
  [bot, person] = [await as(fixture.bot), await as(fixture.person)];
  reader = new TwitterApi(fixture.app.bearer_token, { httpAgent: agent });
});
afterEach(async () => {
  agent.destroy();
  await fixture.close();
});

describe("npm twitter-api-v2, unmodified: data interface", () => {
  it("searches with expansions, page by page", async () => {
    for (let n = 0; n < 12; n += 1) await person.v2.tweet(`a thing, number ${n}`);
    const results = await reader.v2.search("thing", {
      "tweet.fields": ["created_at", "public_metrics"],
      "user.fields": ["description"],
      expansions: ["author_id"],
      max_results: 10,
    });
    await results.fetchLast();

    expect(results.tweets).toHaveLength(12);
    const [newest] = results.tweets;
    expect(newest).toMatchObject({
      text: "a thing, number 11",
      public_metrics: { retweet_count: 0 },
    });
    expect(newest && results.includes.author(newest)).toMatchObject({
      id: fixture.person,
      description: "",
    });
  });

  it("posts, replies, quotes, likes, reposts and deletes", async () => {
    const { data: first } = await person.v2.tweet("good morning");
    const { data: reply } = await bot.v2.reply("to you too", first.id);
    const { data: quote } = await bot.v2.quote("so kind", first.id);
    const like = await bot.v2.like(fixture.bot, first.id);
    const repost = await bot.v2.retweet(fixture.bot, first.id);
    const { data } = await reader.v2.singleTweet(first.id, { "tweet.fields": ["public_metrics"] });
    const likers = await person.v2.tweetLikedBy(first.id);

    expect([like.data, repost.data]).toMatchObject([{ liked: true }, { retweeted: true }]);
    expect(data.public_metrics).toMatchObject({
      like_count: 1,
      quote_count: 1,
      reply_count: 1,
      retweet_count: 1,
    });
    expect(likers.data.map(({ id }) => id)).toEqual([fixture.bot]);
    expect((await reader.v2.quotes(first.id)).tweets.map(({ id }) => id)).toEqual([quote.id]);
    expect((await bot.v2.deleteTweet(reply.id)).data).toEqual({ deleted: true });
    await expect(reader.v2.singleTweet(reply.id)).rejects.toMatchObject({ code: 404 });
  });

  it("follows, lists followers and looks people up", async () => {
    await bot.v2.follow(fixture.bot, fixture.person);
    const followers = await reader.v2.followers(fixture.person);
    const byName = await reader.v2.usersByUsernames(["alice", "nobody"]);

    expect(followers.data.map(({ id }) => id)).toEqual([fixture.bot]);
    expect(byName.data.map(({ id }) => id)).toEqual([fixture.person]);
    expect(byName.errors).toMatchObject([{ value: "nobody" }]);
    expect((await bot.v2.me()).data.id).toBe(fixture.bot);
  });

  it("sends messages and reads them", async () => {
    await bot.v2.sendDmToParticipant(fixture.person, { text: "hello" });
    const group = await bot.v2.createDmConversation({
      conversation_type: "Group",
      participant_ids: [fixture.person, await fixture.user("third")],
      message: { text: "all together" },
    });
    // The client's type lacks the `data` envelope that its value has.
    const { data }: { data: { dm_conversation_id: string } } = Object(group);
    await person.v2.sendDmInConversation(data.dm_conversation_id, { text: "fine" });
    const events = await person.v2.listDmEvents({
      "dm_event.fields": ["sender_id"],
      event_types: ["MessageCreate"],
    });
    const pair = await person.v2.listDmEventsWithParticipant(fixture.bot);

    expect(events.events.map((event) => Object(event).text)).toEqual([
      "fine",
      "all together",
      "hello",
    ]);
    expect(pair.events).toHaveLength(1);
  });

  it("keeps lists, follows and pins them, and reads their posts page by page", async () => {
    const { data: list } = await bot.v2.createList({ name: "people" });
    await bot.v2.addListMember(list.id, fixture.person);
    for (let n = 0; n < 3; n += 1) await person.v2.tweet(`a thing, number ${n}`);
    await person.v2.subscribeToList(fixture.person, list.id);
    await person.v2.pinList(fixture.person, list.id);
    const whole = await reader.v2.list(list.id, { "list.fields": ["member_count", "owner_id"] });
    const read = await reader.v2.listTweets(list.id, { max_results: 2 });
    await read.fetchLast();
    const members = await reader.v2.listMembers(list.id);
    const followers = await reader.v2.listFollowers(list.id);
    const owned = await reader.v2.listsOwned(fixture.bot);
    const memberships = await reader.v2.listMemberships(fixture.person);
    const followed = await reader.v2.listFollowed(fixture.person);

    expect(whole.data).toMatchObject({ name: "people", member_count: 1, owner_id: fixture.bot });
    expect(read.tweets).toHaveLength(3);
    expect([members, followers].map(({ users }) => users.map(({ id }) => id))).toEqual([
      [fixture.person],
      [fixture.person],
    ]);
    for (const { lists } of [owned, memberships, followed]) {
      expect(lists.map(({ id }) => id)).toEqual([list.id]);
    }
    expect((await bot.v2.updateList(list.id, { name: "all" })).data).toEqual({ updated: true });
    expect((await bot.v2.removeList(list.id)).data).toEqual({ deleted: true });
  });

  it("finds spaces", async () => {
    const id = await fixture.sandbox.control.space({ creator_id: fixture.person, title: "Bots" });
    const space = await reader.v2.space(id, { "space.fields": ["title"] });
    const results = await reader.v2.searchSpaces({ query: "bots", state: "live" });
    const opened = await reader.v2.spacesByCreators([fixture.person]);

    expect(space.data).toEqual({ id, state: "live", title: "Bots" });
    expect([results, opened].map(({ data }) => data.map((one) => one.id))).toEqual([[id], [id]]);
  });

  it("reads refusals", async () => {
    await person.v2.tweet("once");

    await expect(person.v2.tweet("once")).rejects.toMatchObject({
      code: 403,
      data: { detail: "You are not allowed to create a Tweet with duplicate content." },
    });
    await expect(reader.v2.search("(")).rejects.toMatchObject({ code: 400 });
  });
});
