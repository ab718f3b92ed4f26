import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Crew, crew } from "./crew.ts";

let at: Crew;
let third: string;
beforeAll(async () => {
  at = await crew();
  third = await at.sandbox.control.user("third");
});
afterAll(() => at.close());

describe("npm twitter-api-v2, unmodified: people", () => {
  it("reads who is signed in, and people by id and by name", async () => {
    const me = await at.asBotClient.v2.me({ "user.fields": ["created_at", "public_metrics"] });
    const byId = await at.asAppClient.v2.users([at.bot, at.person]);
    const one = await at.asAppClient.v2.userByUsername("alice", {
      "user.fields": ["description", "protected"],
    });
    const some = await at.asAppClient.v2.usersByUsernames(["alice", "hello_bot", "nobody"]);

    expect(me.data).toMatchObject({ id: at.bot, public_metrics: { tweet_count: 0 } });
    expect(byId.data.map(({ username }) => username)).toEqual(["hello_bot", "alice"]);
    expect(one.data).toMatchObject({ id: at.person, protected: false });
    expect(some.data).toHaveLength(2);
    expect(some.errors).toMatchObject([{ value: "nobody", parameter: "usernames" }]);
  });

  it("follows and unfollows", async () => {
    const followed = await at.asBotClient.v2.follow(at.bot, at.person);
    const followers = await at.asAppClient.v2.followers(at.person, { asPaginator: true });
    const following = await at.asAppClient.v2.following(at.bot);
    const left = await at.asBotClient.v2.unfollow(at.bot, at.person);

    expect(followed.data).toEqual({ following: true, pending_follow: false });
    expect(followers.users.map(({ id }) => id)).toEqual([at.bot]);
    expect(following.data.map(({ id }) => id)).toEqual([at.person]);
    expect(left.data).toEqual({ following: false });
  });

  it("mutes, blocks, and takes each back", async () => {
    const { v2 } = at.asBotClient;
    const done = [await v2.mute(at.bot, third), await v2.block(at.bot, third)];
    const muted = await v2.userMutingUsers(at.bot);
    const blocked = await v2.userBlockingUsers(at.bot);
    const undone = [await v2.unmute(at.bot, third), await v2.unblock(at.bot, third)];

    expect(done.map(({ data }) => data)).toEqual([{ muting: true }, { blocking: true }]);
    expect(muted.users.map(({ id }) => id)).toEqual([third]);
    expect(blocked.users.map(({ id }) => id)).toEqual([third]);
    expect(undone.map(({ data }) => data)).toEqual([{ muting: false }, { blocking: false }]);
  });
});

/** The client's types leave out the envelope that it hands on. */
const conversationOf = (answer: unknown): string => String(Object(answer).data?.dm_conversation_id);

describe("npm twitter-api-v2, unmodified: direct message endpoints", () => {
  it("sends to a person, to a conversation and to a new group, and lists each", async () => {
    const { v2 } = at.asBotClient;
    const first = await v2.sendDmToParticipant(at.person, { text: "hello" });
    await v2.sendDmInConversation(conversationOf(first), { text: "still there?" });
    const group = await v2.createDmConversation({
      conversation_type: "Group",
      participant_ids: [at.person, third],
      message: { text: "all together" },
    });
    const all = await at.asPersonClient.v2.listDmEvents({ "dm_event.fields": ["sender_id"] });
    const pair = await at.asPersonClient.v2.listDmEventsWithParticipant(at.bot, {
      max_results: 1,
    });
    await pair.fetchNext();
    const ofGroup = await at.asPersonClient.v2.listDmEventsOfConversation(conversationOf(group), {
      expansions: ["sender_id"],
      event_types: ["MessageCreate"],
    });

    expect(all.events[0]).toMatchObject({ text: "all together", sender_id: at.bot });
    expect(pair.events.map((event) => Object(event).text)).toEqual(["still there?", "hello"]);
    expect(ofGroup.events).toHaveLength(1);
    expect(ofGroup.includes.users.map(({ id }) => id)).toEqual([at.bot]);
  });
});
