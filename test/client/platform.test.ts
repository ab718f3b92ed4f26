import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CredentialError, PlatformError } from "../../src/client/errors.ts";
import type { Client } from "../../src/client/client.ts";
import { DIALECTS } from "../../src/interface/dialects.ts";
import { failureOf, world, type World } from "./support/world.ts";

describe.each(DIALECTS)("the platform in the %s dialect", (dialect) => {
  let here: World;
  beforeAll(async () => {
    here = await world(dialect);
  });
  afterAll(() => here.close());

  describe("posts", () => {
    it("are made, read with the fields asked for, and deleted", async () => {
      const made = await here.bot.posts.create({ text: "Good morning." });
      const { data, includes } = await here.bot.posts.get(made.id, {
        postFields: ["created_at", "author_id", "public_metrics"],
        expansions: ["author_id"],
        userFields: ["created_at", "public_metrics"],
      });
      expect(data).toMatchObject({ id: made.id, text: "Good morning.", author_id: here.botId });
      expect(data.public_metrics).toMatchObject({ repost_count: 0, reply_count: 0 });
      expect(Object.keys(data).toSorted()).toEqual([
        "author_id",
        "created_at",
        "edit_history_post_ids",
        "id",
        "public_metrics",
        "text",
      ]);
      expect(includes.users).toMatchObject([{ id: here.botId, username: "hello_bot" }]);
      expect(includes.users[0]?.public_metrics.post_count).toBeGreaterThan(0);
      expect(await here.bot.posts.delete(made.id)).toEqual({ deleted: true });
      expect(await failureOf(here.bot.posts.get(made.id))).toMatchObject({
        name: "PlatformError",
        notFound: true,
      });
    });

    it("answer each other", async () => {
      const asked = await here.person.posts.create({ text: "Anyone?" });
      const answer = await here.bot.posts.reply(asked.id, "Here.");
      const { data, includes } = await here.person.posts.get(answer.id, {
        postFields: ["referenced_posts", "in_reply_to_user_id"],
        expansions: ["referenced_posts.id"],
      });
      expect(data.referenced_posts).toEqual([{ type: "replied_to", id: asked.id }]);
      expect(data.in_reply_to_user_id).toBe(here.personId);
      expect(includes.posts).toMatchObject([{ id: asked.id, text: "Anyone?" }]);
    });

    it("are looked up together, and what does not exist stands beside them", async () => {
      const one = await here.bot.posts.create({ text: "One of two." });
      const found = await here.bot.posts.lookup([one.id, "99"]);
      expect(found.data.map(({ id }) => id)).toEqual([one.id]);
      expect(found.errors).toMatchObject([{ value: "99" }]);
    });

    it("say in the error what the platform said of a text posted twice", async () => {
      await here.bot.posts.create({ text: "the same words" });
      const error = await failureOf(here.bot.posts.create({ text: "the same words" }));
      expect(error).toBeInstanceOf(PlatformError);
      expect(error).toMatchObject({ status: 403, executed: "no", retryable: false });
      expect(String(error)).toMatch(/POST \/2\/posts was refused with 403: .*duplicate/);
    });

    it("are hidden and shown again by whom they answer", async () => {
      const asked = await here.bot.posts.create({ text: "What do you think?" });
      const answer = await here.person.posts.reply(asked.id, "Nothing good.");
      expect(await here.bot.posts.hideReply(answer.id)).toEqual({ hidden: true });
      expect(await here.bot.posts.unhideReply(answer.id)).toEqual({ hidden: false });
    });

    it("are quoted, liked and reposted, and the lists tell by whom", async () => {
      const post = await here.bot.posts.create({ text: "Quotable." });
      const quote = await here.person.posts.create({ text: "Quite.", quotePostId: post.id });
      const ids = { userId: here.personId, postId: post.id };
      expect(await here.person.likes.create(ids)).toEqual({ liked: true });
      expect(await here.person.reposts.create(ids)).toMatchObject({ retweeted: true });
      expect((await here.bot.posts.quotes(post.id)).data.map(({ id }) => id)).toEqual([quote.id]);
      expect((await here.bot.likes.users(post.id)).data).toMatchObject([{ username: "alice" }]);
      expect((await here.bot.reposts.users(post.id)).data).toMatchObject([{ username: "alice" }]);
      const reposts = await here.bot.reposts.posts(post.id, { postFields: ["author_id"] });
      expect(reposts.data).toMatchObject([{ author_id: here.personId }]);
      const liked = await here.person.likes.posts(here.personId);
      expect(liked.data.map(({ id }) => id)).toContain(post.id);
      expect(await here.person.likes.delete(ids)).toEqual({ liked: false });
      expect(await here.person.reposts.delete(ids)).toEqual({ retweeted: false });
      expect((await here.bot.likes.users(post.id)).data).toEqual([]);
    });

    it("stand in their author's timeline and among the mentions of whom they name", async () => {
      const post = await here.person.posts.create({ text: "@hello_bot are you there?" });
      const timeline = await here.appOnly.timelines.posts(here.personId, { maxResults: 5 });
      expect(timeline.data[0]?.id).toBe(post.id);
      const home = await here.person.timelines.home(here.personId);
      expect(home.data.map(({ id }) => id)).toContain(post.id);
      const mentions = await here.bot.timelines.mentions(here.botId, {
        postFields: ["author_id", "entities"],
      });
      expect(mentions.data[0]).toMatchObject({ id: post.id, author_id: here.personId });
    });
  });

  describe("users", () => {
    it("are told by id, by name, together and as oneself", async () => {
      const { bot, botId, personId } = here;
      expect((await bot.users.me()).data).toMatchObject({ id: botId, username: "hello_bot" });
      expect((await bot.users.get(personId)).data.username).toBe("alice");
      expect((await bot.users.byUsername("alice")).data.id).toBe(personId);
      expect((await bot.users.lookup([botId, personId])).data).toHaveLength(2);
      const named = await bot.users.lookupByUsername(["alice", "nobody_here"]);
      expect(named.data.map(({ id }) => id)).toEqual([personId]);
      expect(named.errors).toHaveLength(1);
    });

    it("are followed, listed and let go", async () => {
      const ids = { userId: here.botId, targetUserId: here.personId };
      expect(await here.bot.follows.create(ids)).toMatchObject({ following: true });
      expect((await here.bot.follows.following(here.botId)).data).toMatchObject([
        { username: "alice" },
      ]);
      const followers = await here.bot.follows.followers(here.personId, {
        userFields: ["verified"],
      });
      expect(followers.data).toMatchObject([{ username: "hello_bot", verified: false }]);
      expect(await here.bot.follows.delete(ids)).toEqual({ following: false });
    });

    it("are muted and unmuted; blocks are listed", async () => {
      const ids = { userId: here.botId, targetUserId: here.personId };
      expect(await here.bot.mutes.create(ids)).toEqual({ muting: true });
      expect((await here.bot.mutes.list(here.botId)).data).toMatchObject([{ username: "alice" }]);
      expect(await here.bot.mutes.delete(ids)).toEqual({ muting: false });
      expect(await here.bot.blocks.create(ids)).toEqual({ blocking: true });
      expect((await here.bot.blocks.list(here.botId)).data).toMatchObject([{ username: "alice" }]);
      expect(await here.bot.blocks.delete(ids)).toEqual({ blocking: false });
      expect(await here.bot.blocks.createForMessages(here.personId)).toEqual({ blocked: true });
      expect(await here.bot.blocks.deleteForMessages(here.personId)).toEqual({ blocked: false });
    });
  });

  describe("webhooks and account activity", () => {
    it("are registered, challenged, subscribed, counted, listed and removed", async () => {
      const { appOnly, bot, botId } = here;
      const hook = await appOnly.webhooks.create("https://bot.example/webhook");
      expect(hook).toMatchObject({ url: "https://bot.example/webhook", valid: true });
      expect(await appOnly.webhooks.validate(hook.id)).toMatchObject({ valid: true });
      expect(await appOnly.webhooks.list()).toEqual([hook]);
      expect(await bot.activity.isSubscribed(hook.id)).toBe(false);
      expect(await bot.activity.subscribe(hook.id)).toEqual({ subscribed: true });
      expect(await bot.activity.isSubscribed(hook.id)).toBe(true);
      expect(await failureOf(bot.activity.subscribe(hook.id))).toMatchObject({
        reason: "DuplicateSubscriptionFailed",
        status: 400,
      });
      expect(await appOnly.activity.list(hook.id)).toMatchObject({
        webhook_id: hook.id,
        subscriptions: [{ user_id: botId }],
      });
      expect(await appOnly.activity.count()).toMatchObject({ subscriptions_count_all: "1" });
      const ended = await appOnly.activity.unsubscribe({ webhookId: hook.id, userId: botId });
      expect(ended).toEqual({ subscribed: false });
      expect(await appOnly.webhooks.delete(hook.id)).toEqual({ deleted: true });
      expect(await failureOf(appOnly.webhooks.delete(hook.id))).toMatchObject({
        reason: "WebhookIdInvalid",
      });
    });

    it("replay by the documented path and by the newer one", async () => {
      const { appOnly, sandbox } = here;
      const hook = await appOnly.webhooks.create("https://bot.example/replayed");
      const { now } = await sandbox.control.get<{ now: string }>("/clock");
      const ago = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000);
      const window = { webhookId: hook.id, from: ago(90), to: ago(30) };
      expect(await appOnly.replay.start(window)).toMatchObject({ job_id: expect.any(String) });
      await sandbox.control.advance(60_000);
      expect(await appOnly.replay.startJob(window)).toMatchObject({ job_id: expect.any(String) });
      await sandbox.control.advance(60_000);
      const upside = appOnly.replay.start({ ...window, from: ago(30), to: ago(90) });
      expect(await failureOf(upside)).toMatchObject({ reason: "QueryParamInvalid" });
      await appOnly.webhooks.delete(hook.id);
    });
  });

  describe("media", () => {
    const picture = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );

    it("are uploaded whole and posted", async () => {
      const { id } = await here.bot.media.upload({
        media: picture,
        mediaType: "image/png",
        category: "tweet_image",
      });
      expect(await here.bot.media.describe(id, "One dot.")).toMatchObject({ id });
      const made = await here.bot.posts.create({ text: "Look.", mediaIds: [id] });
      const { includes } = await here.bot.posts.get(made.id, {
        expansions: ["attachments.media_keys"],
        mediaFields: ["alt_text"],
      });
      expect(includes.media).toMatchObject([{ type: "photo", alt_text: "One dot." }]);
    });

    it("are uploaded in parts", async () => {
      const done = await here.bot.media.uploadChunked(
        { media: picture, mediaType: "image/png", category: "tweet_image" },
        { chunkBytes: 20 },
      );
      expect(done.id).toMatch(/^\d+$/);
      expect((await here.bot.media.status(done.id)).id).toBe(done.id);
    });
  });

  describe("the account", () => {
    it("is told by the 1.1 interface", async () => {
      const who = await here.bot.account.verifyCredentials();
      expect(who).toMatchObject({ id_str: here.botId, screen_name: "hello_bot" });
      expect(here.bot.accessLevel).toBe("read-write-directmessages");
    });
  });

  describe("credentials of the wrong kind", () => {
    it("are refused before anything is sent", async () => {
      const unknown: Client = here.bot.as({ type: "bearer", bearerToken: here.app.bearer_token });
      const error = await failureOf(unknown.posts.create({ text: "hi" }));
      expect(error).toBeInstanceOf(CredentialError);
      expect(error).toMatchObject({ takes: ["oauth1", "oauth2"] });
      expect(unknown.rateLimits.all()).toEqual([]);
    });
  });
});
