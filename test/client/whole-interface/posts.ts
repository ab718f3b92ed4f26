import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import { scopedClient } from "./login.ts";
import type { CallsOf, Stage } from "./stage.ts";

export const posts: CallsOf<"posts"> = {
  create: async ({ bot, word }) => {
    const text = word();
    const { id } = await bot.posts.create({ text });
    expect((await bot.posts.get(id)).data.text).toBe(text);
  },
  reply: async ({ bot, post, word }) => {
    const id = await post();
    const created = await bot.posts.reply(id, word());
    const { data } = await bot.posts.get(created.id, { postFields: ["referenced_posts"] });
    expect(data.referenced_posts).toEqual([{ type: "replied_to", id }]);
  },
  delete: async ({ bot, post }) => {
    const id = await post();
    expect(await bot.posts.delete(id)).toEqual({ deleted: true });
    expect(await failureOf(bot.posts.get(id))).toMatchObject({ notFound: true });
  },
  get: async ({ bot, botId, post }) => {
    const id = await post();
    const { data, includes } = await bot.posts.get(id, {
      postFields: ["public_metrics", "edit_history_post_ids"],
      expansions: ["author_id"],
    });
    expect(data).toMatchObject({ id, edit_history_post_ids: [id] });
    expect(data.public_metrics).toMatchObject({ repost_count: 0 });
    expect(includes.users).toMatchObject([{ id: botId, username: "hello_bot" }]);
  },
  lookup: async ({ bot, post }) => {
    const ids = [await post(), await post()];
    const result = await bot.posts.lookup([...ids, "99"]);
    expect(result.data.map(({ id }) => id)).toEqual(ids);
    expect(result.errors).toMatchObject([{ value: "99" }]);
  },
  searchRecent: async ({ bot, appOnly, word }) => {
    const text = word();
    const { id } = await bot.posts.create({ text });
    const { data, meta } = await appOnly.posts.searchRecent({ query: text });
    expect(data).toMatchObject([{ id, text }]);
    expect(meta.result_count).toBe(1);
  },
  searchAll: async ({ bot, appOnly, word }) => {
    const text = word();
    const { id } = await bot.posts.create({ text });
    const { data } = await appOnly.posts.searchAll({ query: text, startTime: "2020-01-01T00:00Z" });
    expect(data).toMatchObject([{ id, text }]);
  },
  quotes: async ({ bot, person, post, word }) => {
    const id = await post();
    const quote = await person.posts.create({ text: word(), quotePostId: id });
    expect((await bot.posts.quotes(id)).data).toMatchObject([{ id: quote.id }]);
  },
  hideReply: async (stage) => {
    const { bot } = stage;
    expect(await bot.posts.hideReply(await replied(stage))).toEqual({ hidden: true });
  },
  unhideReply: async (stage) => {
    const { bot } = stage;
    const id = await replied(stage);
    await bot.posts.hideReply(id);
    expect(await bot.posts.unhideReply(id)).toEqual({ hidden: false });
  },
};

/** Creates a person's reply to a post of the bot; returns its id. */
async function replied({ person, post, word }: Stage): Promise<string> {
  return (await person.posts.reply(await post(), word())).id;
}

export const counts: CallsOf<"counts"> = {
  recent: async ({ bot, appOnly, word }) => {
    const text = word();
    await bot.posts.create({ text });
    const { data, meta } = await appOnly.counts.recent({ query: text, granularity: "day" });
    expect(meta).toEqual({ total_post_count: 1 });
    expect(data.at(-1)?.post_count).toBe(1);
  },
  all: async ({ bot, appOnly, word }) => {
    const text = word();
    await bot.posts.create({ text });
    const startTime = new Date(Date.now() - 40 * 86_400_000);
    const totals: number[] = [];
    const counted = appOnly.counts.all({ query: text, granularity: "day", startTime });
    for await (const { post_count } of counted) {
      if (post_count > 0) totals.push(post_count);
    }
    expect(totals).toEqual([1]);
  },
};

export const timelines: CallsOf<"timelines"> = {
  posts: async ({ appOnly, botId, post }) => {
    const id = await post();
    expect((await appOnly.timelines.posts(botId, { maxResults: 5 })).data[0]?.id).toBe(id);
  },
  home: async ({ bot, botId, post, somebody }) => {
    const { id: userId, client } = await somebody();
    await client.follows.create({ userId, targetUserId: botId });
    const id = await post();
    expect((await client.timelines.home(userId)).data[0]?.id).toBe(id);
    expect((await bot.timelines.home(botId)).data[0]?.id).toBe(id);
  },
  mentions: async ({ bot, botId, person, personId, word }) => {
    const { id } = await person.posts.create({ text: `@hello_bot ${word()}` });
    const { data } = await bot.timelines.mentions(botId, { postFields: ["author_id"] });
    expect(data[0]).toMatchObject({ id, author_id: personId });
  },
};

export const likes: CallsOf<"likes"> = {
  create: async ({ person, personId: userId, post, bot }) => {
    const postId = await post();
    expect(await person.likes.create({ userId, postId })).toEqual({ liked: true });
    const { data } = await bot.posts.get(postId, { postFields: ["public_metrics"] });
    expect(data.public_metrics.like_count).toBe(1);
  },
  delete: async ({ person, personId: userId, post }) => {
    const postId = await post();
    await person.likes.create({ userId, postId });
    expect(await person.likes.delete({ userId, postId })).toEqual({ liked: false });
    expect((await person.likes.users(postId)).data).toEqual([]);
  },
  posts: async ({ person, personId: userId, post }) => {
    const postId = await post();
    await person.likes.create({ userId, postId });
    expect((await person.likes.posts(userId)).data[0]?.id).toBe(postId);
  },
  users: async ({ bot, person, personId: userId, post }) => {
    const postId = await post();
    await person.likes.create({ userId, postId });
    expect((await bot.likes.users(postId)).data).toMatchObject([{ id: userId }]);
  },
};

export const reposts: CallsOf<"reposts"> = {
  create: async ({ person, personId: userId, post, bot }) => {
    const postId = await post();
    expect(await person.reposts.create({ userId, postId })).toMatchObject({ retweeted: true });
    const { data } = await bot.posts.get(postId, { postFields: ["public_metrics"] });
    expect(data.public_metrics.repost_count).toBe(1);
  },
  delete: async ({ person, personId: userId, post }) => {
    const postId = await post();
    await person.reposts.create({ userId, postId });
    expect(await person.reposts.delete({ userId, postId })).toEqual({ retweeted: false });
    expect((await person.reposts.users(postId)).data).toEqual([]);
  },
  posts: async ({ appOnly, person, personId: userId, post }) => {
    const postId = await post();
    await person.reposts.create({ userId, postId });
    const { data } = await appOnly.reposts.posts(postId, { postFields: ["author_id"] });
    expect(data).toMatchObject([{ author_id: userId }]);
  },
  users: async ({ appOnly, person, personId: userId, post }) => {
    const postId = await post();
    await person.reposts.create({ userId, postId });
    expect((await appOnly.reposts.users(postId)).data).toMatchObject([{ id: userId }]);
  },
  ofMe: async ({ bot, person, personId: userId, post }) => {
    const postId = await post();
    await person.reposts.create({ userId, postId });
    expect((await bot.reposts.ofMe({ maxResults: 1 })).data).toMatchObject([{ id: postId }]);
  },
};

export const bookmarks: CallsOf<"bookmarks"> = {
  create: async (stage) => {
    const client = await bookmarking(stage);
    const bookmark = { userId: stage.personId, postId: await stage.post() };
    expect(await client.bookmarks.create(bookmark)).toEqual({ bookmarked: true });
  },
  delete: async (stage) => {
    const client = await bookmarking(stage);
    const bookmark = { userId: stage.personId, postId: await stage.post() };
    await client.bookmarks.create(bookmark);
    expect(await client.bookmarks.delete(bookmark)).toEqual({ bookmarked: false });
  },
  list: async (stage) => {
    const client = await bookmarking(stage);
    const [userId, postId] = [stage.personId, await stage.post()];
    await client.bookmarks.create({ userId, postId });
    const { data } = await stage.person.bookmarks.list(userId, { postFields: ["author_id"] });
    expect(data[0]).toMatchObject({ id: postId, author_id: stage.botId });
  },
  createFolder: async (stage) => {
    const client = await bookmarking(stage);
    const folder = { userId: stage.personId, name: "later" };
    expect(await client.bookmarks.createFolder(folder)).toMatchObject({ name: "later" });
  },
  folders: async (stage) => {
    const client = await bookmarking(stage);
    const created = await client.bookmarks.createFolder({
      userId: stage.personId,
      name: stage.word(),
    });
    expect((await client.bookmarks.folders(stage.personId)).data[0]).toEqual(created);
  },
  inFolder: async (stage) => {
    const client = await bookmarking(stage);
    const [userId, postId] = [stage.personId, await stage.post()];
    const { id: folderId } = await client.bookmarks.createFolder({ userId, name: "later" });
    await client.bookmarks.create({ userId, postId, folderId });
    expect((await client.bookmarks.inFolder({ userId, folderId })).data).toEqual([{ id: postId }]);
  },
};

const bookmarking = (stage: Stage): ReturnType<typeof scopedClient> =>
  scopedClient(stage, "bookmark.read", "bookmark.write");
