import { PostPaginator, UserPaginator } from "@xdevplatform/xdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { page, startWithXdk, type XdkSandbox } from "./xdk-sandbox.ts";

let fixture: XdkSandbox;
let third: string;
beforeEach(async () => {
  fixture = await startWithXdk();
  third = await fixture.sandbox.control.user("third");
});
afterEach(() => fixture.close());

describe("npm @xdevplatform/xdk, unmodified: people", () => {
  it("reads the signed-in user, and people by id, by name and by search", async () => {
    const { users } = fixture.appClient;
    const me = await fixture.botClient.users.getMe({
      userFields: ["created_at", "public_metrics"],
    });
    const other = await fixture.personClient.users.getMe();
    const byId = await users.getByIds([fixture.bot, fixture.person, "3"]);
    const one = await users.getById(fixture.person, { userFields: ["protected"] });
    const named = await users.getByUsernames(["alice", "nobody"]);
    const byName = await users.getByUsername("hello_bot");
    const results = await fixture.personClient.users.search("ali");

    expect(me.data).toMatchObject({ id: fixture.bot, publicMetrics: { postCount: 0 } });
    expect(other.data).toEqual({ id: fixture.person, name: "alice", username: "alice" });
    expect(byId.data?.map(({ username }) => username)).toEqual(["hello_bot", "alice"]);
    expect(byId.errors).toMatchObject([{ value: "3", parameter: "ids" }]);
    expect(one.data).toMatchObject({ id: fixture.person, protected: false });
    expect(named.data).toHaveLength(1);
    expect(named.errors).toMatchObject([{ value: "nobody", parameter: "usernames" }]);
    expect(byName.data).toMatchObject({ id: fixture.bot });
    expect(results.data).toMatchObject([{ id: fixture.person }]);
  });

  it("follows and unfollows", async () => {
    const { users } = fixture.botClient;
    const followed = await users.followUser(fixture.bot, { targetUserId: third });
    const followers = await fixture.appClient.users.getFollowers(third, { maxResults: 10 });
    const following = await fixture.appClient.users.getFollowing(fixture.bot);
    const unfollowed = await users.unfollowUser(fixture.bot, third);

    expect(followed.data).toEqual({ following: true, pendingFollow: false });
    expect(followers.data).toMatchObject([{ id: fixture.bot }]);
    expect(following.data).toMatchObject([{ id: third }]);
    expect(unfollowed.data).toEqual({ following: false });
  });

  it("mutes, blocks messages, and undoes each", async () => {
    const { users } = fixture.botClient;
    const muted = await users.muteUser(fixture.bot, { targetUserId: third });
    const muting = await users.getMuting(fixture.bot);
    const unmuted = await users.unmuteUser(fixture.bot, third);
    const blocked = await users.blockDms(third);
    const blocking = await users.getBlocking(fixture.bot);
    const unblocked = await users.unblockDms(third);

    expect([muted.data, unmuted.data]).toEqual([{ muting: true }, { muting: false }]);
    expect(muting.data).toMatchObject([{ id: third }]);
    expect([blocked.data, unblocked.data]).toEqual([{ blocked: true }, { blocked: false }]);
    expect(blocking.meta).toMatchObject({ resultCount: 0 });
  });
});

describe("npm @xdevplatform/xdk, unmodified: its paginators", () => {
  it("iterate over a user's posts, mentions and the home timeline", async () => {
    const { control } = fixture.sandbox;
    for (let n = 0; n < 11; n += 1) {
      await control.act(third, { type: "post", text: `@hello_bot take ${n}` });
    }
    const { users } = fixture.appClient;
    const texts: unknown[] = [];
    const posts = new PostPaginator(async (paginationToken) =>
      page(
        await users.getPosts(third, { maxResults: 5, ...(paginationToken && { paginationToken }) }),
      ),
    );
    for await (const { text } of posts) texts.push(text);
    const mentions = await users.getMentions(fixture.bot, { maxResults: 5 });
    await fixture.personClient.users.followUser(fixture.person, { targetUserId: third });
    const home = await fixture.personClient.users.getTimeline(fixture.person, {
      exclude: ["replies"],
      maxResults: 7,
    });

    expect(texts).toHaveLength(11);
    expect(texts[0]).toBe("@hello_bot take 10");
    expect(mentions.data).toHaveLength(5);
    expect(mentions.data?.[0]?.text).toBe("@hello_bot take 10");
    expect(home.data?.[0]?.text).toBe("@hello_bot take 10");
  });

  it("go on to the next page and back", async () => {
    const { control } = fixture.sandbox;
    const star = await control.user("star");
    for (const name of ["fan_a", "fan_b", "fan_c"]) {
      await control.act(await control.user(name), { type: "follow", user_id: star });
    }
    const fans = new UserPaginator(async (paginationToken) =>
      page(
        await fixture.appClient.users.getFollowers(star, {
          maxResults: 2,
          ...(paginationToken && { paginationToken }),
        }),
      ),
    );
    await fans.fetchNext();
    const second = await fans.next();

    expect(fans.users.map(({ username }) => username)).toEqual(["fan_c", "fan_b"]);
    expect([fans.done, second.done]).toEqual([false, true]);
    expect(second.items.map((user) => Object(user).username)).toEqual(["fan_a"]);
  });
});
