import { TwitterApi } from "twitter-api-v2";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LeadingAgent } from "../../../support/leading-agent.ts";
import { startDataSandbox, type DataSandbox } from "../../support/data-sandbox.ts";

let fixture: DataSandbox;
let agent: LeadingAgent;
let bot: TwitterApi;
let person: TwitterApi;
beforeAll(async () => {
  fixture = await startDataSandbox();
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
});
afterAll(async () => {
  agent.destroy();
  await fixture.close();
});

it("npm twitter-api-v2, unmodified, writes and reads statuses by version 1.1", async () => {
  const { v1 } = bot;
  const first = await person.v1.tweet("good morning");
  const reply = await v1.reply("to you too", first.id_str);
  const liked = await v1.post("favorites/create.json", { id: first.id_str });
  const timeline = await v1.userTimelineByUsername("alice");
  const mentions = await person.v1.mentionTimeline();
  const one = await v1.singleTweet(first.id_str);
  const several = await v1.tweets([first.id_str, reply.id_str]);

  expect(reply.in_reply_to_status_id_str).toBe(first.id_str);
  expect(liked).toMatchObject({ favorited: true });
  expect(timeline.tweets.map(({ id_str: id }) => id)).toEqual([first.id_str]);
  expect(mentions.tweets).toMatchObject([{ id_str: reply.id_str, full_text: "@alice to you too" }]);
  expect(one).toMatchObject({ full_text: "good morning", favorite_count: 1 });
  expect(several).toHaveLength(2);
  expect((await v1.deleteTweet(reply.id_str)).id_str).toBe(reply.id_str);
});

it("npm twitter-api-v2, unmodified, finds people, sends messages and reads limits by version 1.1", async () => {
  const { v1 } = bot;
  const user = await v1.user({ screen_name: "alice" });
  const users = await v1.users({ screen_name: ["alice", "hello_bot"] });
  const friendship = await v1.friendship({
    source_screen_name: "hello_bot",
    target_screen_name: "alice",
  });
  const followers = await v1.userFollowerIds({ screen_name: "alice" });
  const { event } = await v1.sendDm({ recipient_id: fixture.person, text: "hello" });
  const listed = await person.v1.listDmEvents();
  const limits = await v1.rateLimitStatuses("statuses", "search");

  expect(user.id_str).toBe(fixture.person);
  expect(users).toHaveLength(2);
  expect(friendship.relationship.target.screen_name).toBe("alice");
  expect(followers.ids).toEqual([]);
  expect(listed.events.map(({ id }) => id)).toEqual([event.id]);
  expect(limits.resources.search?.["/search/tweets"]?.limit).toBe(180);
  await v1.deleteDm(event.id);
  expect((await v1.listDmEvents()).events).toEqual([]);
});
