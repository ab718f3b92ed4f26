import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { idsOf, startDataSandbox, type DataSandbox } from "../../support/data-sandbox.ts";

let fixture: DataSandbox;
let alice: string;
let bob: string;
let post: string;
beforeEach(async () => {
  fixture = await startDataSandbox();
  [alice, bob] = [fixture.person, await fixture.user("bob")];
  post = await fixture.post(alice, "the post");
});
afterEach(() => fixture.close());

async function metrics(id = post): Promise<unknown> {
  return (await fixture.get(`/2/posts/${id}?post.fields=public_metrics`)).data["public_metrics"];
}

describe("likes and reposts", () => {
  it("are done once, counted, listed, and undone", async () => {
    for (let n = 0; n < 2; n += 1) {
      const like = await fixture.as(bob, "POST", `/2/users/${bob}/likes`, { tweet_id: post });
      expect(like.body).toEqual({ data: { liked: true } });
    }
    const repost = await fixture.as(bob, "POST", `/2/users/${bob}/retweets`, { tweet_id: post });
    expect(repost.data).toEqual({
      id: expect.any(String),
      rest_id: repost.data["id"],
      retweeted: true,
    });

    expect(await metrics()).toMatchObject({ like_count: 1, repost_count: 1 });
    expect(idsOf(await fixture.get(`/2/posts/${post}/liking_users`, alice))).toEqual([bob]);
    expect(idsOf(await fixture.get(`/2/tweets/${post}/retweeted_by`))).toEqual([bob]);
    expect(idsOf(await fixture.get(`/2/users/${bob}/liked_tweets`, bob))).toEqual([post]);
    expect(idsOf(await fixture.get(`/2/posts/${post}/retweets`))).toEqual([repost.data["id"]]);

    const unlike = await fixture.as(bob, "DELETE", `/2/users/${bob}/likes/${post}`);
    const unrepost = await fixture.as(bob, "DELETE", `/2/users/${bob}/retweets/${post}`);
    expect([unlike.data, unrepost.data]).toEqual([{ liked: false }, { retweeted: false }]);
    expect(await metrics()).toMatchObject({ like_count: 0, repost_count: 0 });
  });

  it("of a repost are of the post it repeats", async () => {
    const repost = await fixture.as(bob, "POST", `/2/users/${bob}/retweets`, { tweet_id: post });
    const id = String(repost.data["id"]);
    await fixture.as(bob, "POST", `/2/users/${bob}/likes`, { tweet_id: id });

    expect(await metrics()).toMatchObject({ like_count: 1 });

    await fixture.as(bob, "DELETE", `/2/users/${bob}/likes/${id}`);
    await fixture.as(bob, "DELETE", `/2/users/${bob}/retweets/${id}`);
    expect(await metrics()).toMatchObject({ like_count: 0, repost_count: 0 });
  });

  it("of a repost by the control interface are of the post it repeats, like replies and quotes", async () => {
    const { control } = fixture.sandbox;
    const carol = await fixture.user("carol");
    const { id: first } = await control.act(bob, { type: "repost", post_id: post });
    await control.act(carol, { type: "like", post_id: first });
    const again = await control.act(carol, { type: "repost", post_id: first });
    await control.act(carol, { type: "post", text: "well", in_reply_to: first });
    await control.act(carol, { type: "post", text: "look", quote_of: first });

    expect((await fixture.get(`/2/posts/${again.id}`)).data["text"]).toBe("RT @alice: the post");
    expect(await metrics()).toMatchObject({
      like_count: 1,
      repost_count: 2,
      reply_count: 1,
      quote_count: 1,
    });
  });

  it("leave the numbers of their users when the post is deleted", async () => {
    const fields = "user.fields=public_metrics,most_recent_tweet_id";
    const read = async () => (await fixture.get(`/2/users/${bob}?${fields}`)).data;
    const before = await read();
    const repost = await fixture.as(bob, "POST", `/2/users/${bob}/retweets`, { tweet_id: post });
    await fixture.as(bob, "POST", `/2/users/${bob}/likes`, { tweet_id: post });
    const meanwhile = await read();
    await fixture.as(alice, "DELETE", `/2/tweets/${post}`);

    expect(meanwhile).toMatchObject({
      most_recent_tweet_id: repost.data["id"],
      public_metrics: { tweet_count: 1, like_count: 1 },
    });
    expect(await read()).toEqual(before);
  });

  it("shorten the text of a long post, which does not make the repost longform", async () => {
    const long = await fixture.post(alice, "x".repeat(279));
    const { data } = await fixture.as(bob, "POST", `/2/users/${bob}/retweets`, { tweet_id: long });
    const fields = "post.fields=note_post&expansions=referenced_posts.id";
    const repost = await fixture.get(`/2/posts/${String(data["id"])}?${fields}`);

    expect(repost.data["text"]).toBe(`RT @alice: ${"x".repeat(128)}…`);
    expect(repost.data).not.toHaveProperty("note_post");
    expect(repost.includes["posts"]).toMatchObject([{ text: "x".repeat(279) }]);
  });

  test.each([
    { path: "likes", body: {}, status: 400, why: "no post named" },
    { path: "likes", body: { tweet_id: "1" }, status: 404, why: "no such post" },
    { path: "retweets", body: { tweet_id: "x" }, status: 400, why: "no id" },
    { path: "likes", body: { tweet_id: "1", more: 1 }, status: 400, why: "an unknown key" },
  ])("of nothing are refused: $path, $why", async ({ path, body, status }) => {
    expect((await fixture.as(bob, "POST", `/2/users/${bob}/${path}`, body)).status).toBe(status);
  });

  it("are made for oneself only", async () => {
    const response = await fixture.as(bob, "POST", `/2/users/${alice}/likes`, { tweet_id: post });

    expect(response.status).toBe(403);
    expect(response.body["detail"]).toContain("authenticated user");
  });

  it("liking users and liked posts are for user tokens only", async () => {
    const { status, body } = await fixture.get(`/2/posts/${post}/liking_users`);

    expect([status, body["title"]]).toEqual([403, "Unsupported Authentication"]);
  });
});

describe("who may do what", () => {
  it("refuses people whom the author blocks", async () => {
    await fixture.as(alice, "POST", `/2/users/${alice}/blocking`, { target_user_id: bob });
    const like = await fixture.as(bob, "POST", `/2/users/${bob}/likes`, { tweet_id: post });
    const reply = await fixture.as(bob, "POST", "/2/posts", {
      text: "hey",
      reply: { in_reply_to_tweet_id: post },
    });
    const read = await fixture.get(`/2/posts/${post}`, bob);

    expect([like.status, reply.status, read.status]).toEqual([403, 403, 403]);
    expect(reply.body["detail"]).toBe("You have been blocked from the author of this tweet.");
  });

  it("refuses replies to posts that are deleted or hidden, with the live service's text", async () => {
    const reply = () =>
      fixture.as(bob, "POST", "/2/tweets", {
        text: "hey",
        reply: { in_reply_to_tweet_id: post },
      });
    await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { protected: true });
    const hidden = await reply();
    await fixture.as(alice, "DELETE", `/2/posts/${post}`);
    const deleted = await reply();

    expect(hidden.body).toEqual(deleted.body);
    expect(deleted.body).toEqual({
      title: "Forbidden",
      detail: "You attempted to reply to a Tweet that is deleted or not visible to you.",
      type: "about:blank",
      status: 403,
    });
  });

  it("lets apps on smaller plans write one cashtag a post", async () => {
    const { control } = fixture.sandbox;
    const project_id = await control.project({ name: "small", plan: "pay-per-use" });
    const app = fixture.callersFor(await control.app({ project_id }), fixture.bot);
    const write = (text: string) => app.asUser(bob, "POST", "/2/tweets", { text });

    expect((await write("$ACME is up, it costs $5 and US$7")).status).toBe(201);
    expect(await write("$ACME is up, $INIT is down")).toMatchObject({
      status: 403,
      body: { detail: "Posts are limited to a maximum of one cashtag" },
    });
    expect(await fixture.post(bob, "$ACME and $INIT")).toMatch(/^\d+$/);
  });

  it("lets apps on smaller plans answer and quote only posts that involve the account", async () => {
    const { control } = fixture.sandbox;
    const project_id = await control.project({ name: "small", plan: "pay-per-use" });
    const app = fixture.callersFor(await control.app({ project_id }), fixture.bot);
    const own = await fixture.post(bob, "my own");
    const naming = await fixture.post(alice, "what does @bob think?");
    const quoting = await fixture.post(alice, "he says", { quote_tweet_id: own });
    const answer = (id: string) =>
      app.asUser(bob, "POST", "/2/tweets", { text: id, reply: { in_reply_to_tweet_id: id } });
    const quote = (id: string) =>
      app.asUser(bob, "POST", "/2/tweets", { text: `on ${id}`, quote_tweet_id: id });
    const all = [own, naming, quoting, post];
    const answers = await Promise.all(all.map(answer));
    const quotes = await Promise.all(all.map(quote));

    for (const responses of [answers, quotes]) {
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 403]);
      expect(responses[3]?.body).toEqual({
        title: "Authorization Error",
        detail: "You can only reply to or quote posts where you are mentioned or are the author.",
        type: `${fixture.sandbox.url}/2/problems/not-authorized-for-resource`,
        status: 403,
      });
    }
  });

  it("shows protected posts to followers only", async () => {
    await fixture.as(bob, "POST", `/2/users/${bob}/following`, { target_user_id: alice });
    await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { protected: true });
    const [follower, stranger, app] = await Promise.all([
      fixture.get(`/2/posts/${post}`, bob),
      fixture.get(`/2/posts/${post}`, fixture.bot),
      fixture.get(`/2/posts?ids=${post}`),
    ]);

    const repost = await fixture.as(bob, "POST", `/2/users/${bob}/retweets`, { tweet_id: post });

    expect(repost.status).toBe(403);
    expect(follower.data).toMatchObject({ id: post });
    expect(stranger.errors).toMatchObject([
      {
        title: "Authorization Error",
        type: `${fixture.sandbox.url}/2/problems/not-authorized-for-resource`,
      },
    ]);
    expect(app.body).toEqual({ errors: [expect.objectContaining({ resource_id: post })] });
    expect((await fixture.get(`/2/users/${alice}/posts`)).status).toBe(403);
  });

  it("hides posts of suspended users, and refuses their requests", async () => {
    await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { suspended: true });
    const v2 = await fixture.as(alice, "POST", "/2/posts", { text: "hello?" });
    const v1 = await fixture.asUser(alice, "GET", "/1.1/account/verify_credentials.json");

    const detail = "Your account is suspended and is not permitted to access this feature.";
    expect(v2).toMatchObject({ status: 403, body: { detail } });
    expect(v1).toMatchObject({ status: 403, body: { errors: [{ code: 64, message: detail }] } });

    expect((await fixture.get(`/2/posts?ids=${post}`)).errors).toMatchObject([
      { title: "Forbidden" },
    ]);
  });

  test.each([
    { setting: "mentionedUsers", text: "for @bob", bob: 201, carol: 403 },
    { setting: "following", text: "for those I follow", bob: 403, carol: 201 },
    { setting: "verified", text: "for the verified", bob: 403, carol: 403 },
    { setting: "subscribers", text: "for subscribers", bob: 403, carol: 403 },
  ])("lets reply as $setting says", async ({ setting, text, ...expected }) => {
    const carol = await fixture.user("carol");
    await fixture.as(alice, "POST", `/2/users/${alice}/following`, { target_user_id: carol });
    const id = await fixture.post(alice, text, { reply_settings: setting });
    const reply = async (by: string): Promise<number> =>
      (
        await fixture.as(by, "POST", "/2/posts", {
          text: "hi",
          reply: { in_reply_to_tweet_id: id },
        })
      ).status;

    expect({ bob: await reply(bob), carol: await reply(carol) }).toEqual(expected);
    expect((await fixture.get(`/2/posts/${id}?post.fields=reply_settings`)).data).toMatchObject({
      reply_settings: setting,
    });
  });

  it("lets only the one who began a conversation hide a reply to it", async () => {
    const reply = await fixture.post(bob, "rude", { reply: { in_reply_to_tweet_id: post } });
    const hide = (by: string, id: string): ReturnType<DataSandbox["as"]> =>
      fixture.as(by, "PUT", `/2/tweets/${id}/hidden`, { hidden: true });

    expect((await hide(alice, reply)).body).toEqual({ data: { hidden: true } });
    expect((await hide(bob, reply)).status).toBe(403);
    expect((await hide(alice, post)).status).toBe(403);
  });

  it("lets only the author delete", async () => {
    expect((await fixture.as(bob, "DELETE", `/2/posts/${post}`)).status).toBe(403);
    expect((await fixture.as(alice, "DELETE", `/2/posts/${post}`)).data).toEqual({ deleted: true });
    expect((await fixture.as(alice, "DELETE", `/2/posts/${post}`)).status).toBe(404);
  });
});

describe("a post that does not exist", () => {
  it("is 404, with the problem also in errors", async () => {
    const { status, body } = await fixture.get("/2/posts/123");
    const problem = {
      title: "Not Found Error",
      detail: "Could not find post with id: [123].",
      type: `${fixture.sandbox.url}/2/problems/resource-not-found`,
      resource_type: "post",
      resource_id: "123",
      parameter: "id",
      value: "123",
    };

    expect(status).toBe(404);
    expect(body).toEqual({ ...problem, status: 404, errors: [problem] });
  });

  it("is listed in errors beside the results, in the requested order", async () => {
    const other = await fixture.post(bob, "other");
    const response = await fixture.get(`/2/tweets?tweet.fields=lang&ids=${other},1,${post},2`);

    expect(idsOf(response)).toEqual([other, post]);
    expect(response.errors).toMatchObject([
      { value: "1", parameter: "ids", resource_type: "tweet" },
      { value: "2", detail: "Could not find tweet with ids: [2]." },
    ]);
  });

  test.each([
    { ids: "", says: "can not be empty" },
    { ids: "abc", says: "is not valid" },
    { ids: "1,1", says: "Duplicate parameters are not allowed" },
    { ids: Array.from({ length: 101 }, (_, n) => n + 1).join(","), says: "at most 100" },
  ])("is refused for ids that are none: $says", async ({ ids, says }) => {
    const { status, errors } = await fixture.get(`/2/posts?ids=${ids}`);

    expect([status, errors[0]?.["message"]]).toEqual([400, expect.stringContaining(says)]);
  });
});
