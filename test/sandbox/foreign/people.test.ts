import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TwitterApiSandbox, startWithTwitterApi } from "./twitter-api-sandbox.ts";

let fixture: TwitterApiSandbox;
let third: string;
beforeAll(async () => {
  fixture = await startWithTwitterApi();
  third = await fixture.sandbox.control.user("third");
});
afterAll(() => fixture.close());

describe("npm twitter-api-v2, unmodified: people", () => {
  it("reads the signed-in user, and people by id and by name", async () => {
    const me = await fixture.asBotClient.v2.me({ "user.fields": ["created_at", "public_metrics"] });
    const byId = await fixture.asAppClient.v2.users([fixture.bot, fixture.person]);
    const one = await fixture.asAppClient.v2.userByUsername("alice", {
      "user.fields": ["description", "protected"],
    });
    const some = await fixture.asAppClient.v2.usersByUsernames(["alice", "hello_bot", "nobody"]);

    expect(me.data).toMatchObject({ id: fixture.bot, public_metrics: { tweet_count: 0 } });
    expect(byId.data.map(({ username }) => username)).toEqual(["hello_bot", "alice"]);
    expect(one.data).toMatchObject({ id: fixture.person, protected: false });
    expect(some.data).toHaveLength(2);
    expect(some.errors).toMatchObject([{ value: "nobody", parameter: "usernames" }]);
  });

  it("follows and unfollows", async () => {
    const followed = await fixture.asBotClient.v2.follow(fixture.bot, fixture.person);
    const followers = await fixture.asAppClient.v2.followers(fixture.person, { asPaginator: true });
    const following = await fixture.asAppClient.v2.following(fixture.bot);
    const unfollowed = await fixture.asBotClient.v2.unfollow(fixture.bot, fixture.person);

    expect(followed.data).toEqual({ following: true, pending_follow: false });
    expect(followers.users.map(({ id }) => id)).toEqual([fixture.bot]);
    expect(following.data.map(({ id }) => id)).toEqual([fixture.person]);
    expect(unfollowed.data).toEqual({ following: false });
  });

  it("mutes, blocks, and undoes each", async () => {
    const { v2 } = fixture.asBotClient;
    const done = [await v2.mute(fixture.bot, third), await v2.block(fixture.bot, third)];
    const muted = await v2.userMutingUsers(fixture.bot);
    const blocked = await v2.userBlockingUsers(fixture.bot);
    const undone = [await v2.unmute(fixture.bot, third), await v2.unblock(fixture.bot, third)];

    expect(done.map(({ data }) => data)).toEqual([{ muting: true }, { blocking: true }]);
    expect(muted.users.map(({ id }) => id)).toEqual([third]);
    expect(blocked.users.map(({ id }) => id)).toEqual([third]);
    expect(undone.map(({ data }) => data)).toEqual([{ muting: false }, { blocking: false }]);
  });
});

/** Returns the conversation's id from a response with its envelope, which the client's types leave out. */
const conversationOf = (answer: unknown): string => String(Object(answer).data?.dm_conversation_id);

describe("npm twitter-api-v2, unmodified: direct message endpoints", () => {
  it("sends to a person, to a conversation and to a new group, and lists each", async () => {
    const { v2 } = fixture.asBotClient;
    const first = await v2.sendDmToParticipant(fixture.person, { text: "hello" });
    await v2.sendDmInConversation(conversationOf(first), { text: "still there?" });
    const group = await v2.createDmConversation({
      conversation_type: "Group",
      participant_ids: [fixture.person, third],
      message: { text: "all together" },
    });
    const all = await fixture.asPersonClient.v2.listDmEvents({ "dm_event.fields": ["sender_id"] });
    const pair = await fixture.asPersonClient.v2.listDmEventsWithParticipant(fixture.bot, {
      max_results: 1,
    });
    await pair.fetchNext();
    const ofGroup = await fixture.asPersonClient.v2.listDmEventsOfConversation(
      conversationOf(group),
      {
        expansions: ["sender_id"],
        event_types: ["MessageCreate"],
      },
    );

    expect(all.events[0]).toMatchObject({ text: "all together", sender_id: fixture.bot });
    expect(pair.events.map((event) => Object(event).text)).toEqual(["still there?", "hello"]);
    expect(ofGroup.events).toHaveLength(1);
    expect(ofGroup.includes.users.map(({ id }) => id)).toEqual([fixture.bot]);
  });
});
