import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import type { CallsOf, Stage } from "./stage.ts";

/** Creates a list of the bot with one member. */
async function listed({ bot, somebody, word }: Stage): Promise<{ listId: string; userId: string }> {
  const { id: listId } = await bot.lists.create({ name: word() });
  const { id: userId } = await somebody();
  await bot.lists.addMember({ listId, userId });
  return { listId, userId };
}

export const lists: CallsOf<"lists"> = {
  create: async ({ bot, word }) => {
    const name = word();
    expect(await bot.lists.create({ name, private: true })).toMatchObject({ name });
  },
  update: async ({ bot, word }) => {
    const { id } = await bot.lists.create({ name: word() });
    expect(await bot.lists.update(id, { description: "of mine" })).toEqual({ updated: true });
    const { data } = await bot.lists.get(id, { listFields: ["description"] });
    expect(data.description).toBe("of mine");
  },
  delete: async ({ bot, word }) => {
    const { id } = await bot.lists.create({ name: word() });
    expect(await bot.lists.delete(id)).toEqual({ deleted: true });
    expect(await failureOf(bot.lists.get(id))).toMatchObject({ notFound: true });
  },
  get: async (stage) => {
    const { listId } = await listed(stage);
    const { data, includes } = await stage.appOnly.lists.get(listId, {
      listFields: ["member_count", "private"],
      expansions: ["owner_id"],
    });
    expect(data).toMatchObject({ id: listId, member_count: 1, private: false });
    expect(includes.users).toMatchObject([{ id: stage.botId }]);
  },
  posts: async (stage) => {
    const { id: listId } = await stage.bot.lists.create({ name: stage.word() });
    await stage.bot.lists.addMember({ listId, userId: stage.botId });
    const id = await stage.post();
    const { data } = await stage.appOnly.lists.posts(listId, { maxResults: 1 });
    expect(data).toMatchObject([{ id }]);
  },
  members: async (stage) => {
    const { listId, userId } = await listed(stage);
    expect((await stage.appOnly.lists.members(listId)).data).toMatchObject([{ id: userId }]);
  },
  followers: async (stage) => {
    const { listId } = await listed(stage);
    await stage.person.lists.follow({ userId: stage.personId, listId });
    const { data } = await stage.appOnly.lists.followers(listId);
    expect(data).toMatchObject([{ id: stage.personId }]);
  },
  addMember: async ({ bot, personId: userId, word }) => {
    const { id: listId } = await bot.lists.create({ name: word() });
    expect(await bot.lists.addMember({ listId, userId })).toEqual({ is_member: true });
  },
  removeMember: async (stage) => {
    const member = await listed(stage);
    expect(await stage.bot.lists.removeMember(member)).toEqual({ is_member: false });
    expect((await stage.bot.lists.members(member.listId)).data).toEqual([]);
  },
  owned: async (stage) => {
    const { listId } = await listed(stage);
    const { data } = await stage.appOnly.lists.owned(stage.botId, { listFields: ["owner_id"] });
    expect(data[0]).toMatchObject({ id: listId, owner_id: stage.botId });
  },
  memberships: async (stage) => {
    const { listId, userId } = await listed(stage);
    expect((await stage.appOnly.lists.memberships(userId)).data).toMatchObject([{ id: listId }]);
  },
  followed: async (stage) => {
    const { listId } = await listed(stage);
    const { id: userId, client } = await stage.somebody();
    await client.lists.follow({ userId, listId });
    expect((await stage.appOnly.lists.followed(userId)).data).toMatchObject([{ id: listId }]);
  },
  pinned: async (stage) => {
    const { listId } = await listed(stage);
    const { id: userId, client } = await stage.somebody();
    await client.lists.pin({ userId, listId });
    expect((await client.lists.pinned(userId)).data).toMatchObject([{ id: listId }]);
  },
  follow: async (stage) => {
    const { listId } = await listed(stage);
    const { personId: userId, person } = stage;
    expect(await person.lists.follow({ userId, listId })).toEqual({ following: true });
  },
  unfollow: async (stage) => {
    const { listId } = await listed(stage);
    const { personId: userId, person } = stage;
    await person.lists.follow({ userId, listId });
    expect(await person.lists.unfollow({ userId, listId })).toEqual({ following: false });
    expect((await person.lists.followers(listId)).data).toEqual([]);
  },
  pin: async (stage) => {
    const { listId } = await listed(stage);
    const { personId: userId, person } = stage;
    expect(await person.lists.pin({ userId, listId })).toEqual({ pinned: true });
  },
  unpin: async (stage) => {
    const { listId } = await listed(stage);
    const { id: userId, client } = await stage.somebody();
    await client.lists.pin({ userId, listId });
    expect(await client.lists.unpin({ userId, listId })).toEqual({ pinned: false });
    expect((await client.lists.pinned(userId)).data).toEqual([]);
  },
};

export const spaces: CallsOf<"spaces"> = {
  get: async ({ appOnly, personId, sandbox }) => {
    const topics = [{ id: "7", name: "Bots" }];
    const id = await sandbox.control.space({ creator_id: personId, topics });
    const { data, includes } = await appOnly.spaces.get(id, {
      spaceFields: ["started_at"],
      expansions: ["creator_id", "topic_ids"],
    });
    expect(data).toMatchObject({ id, state: "live", started_at: expect.any(String) });
    expect(includes.users).toMatchObject([{ id: personId }]);
    expect(includes.topics).toEqual(topics);
  },
  lookup: async ({ appOnly, personId, sandbox }) => {
    const id = await sandbox.control.space({ creator_id: personId });
    const result = await appOnly.spaces.lookup([id, "1none"]);
    expect(result.data).toEqual([{ id, state: "live" }]);
    expect(result.errors).toMatchObject([{ value: "1none" }]);
  },
  byCreators: async ({ appOnly, sandbox, somebody }) => {
    const { id: creator } = await somebody();
    const id = await sandbox.control.space({ creator_id: creator, state: "scheduled" });
    expect((await appOnly.spaces.byCreators([creator])).data).toEqual([{ id, state: "scheduled" }]);
  },
  search: async ({ appOnly, personId, sandbox, word }) => {
    const title = word();
    const id = await sandbox.control.space({ creator_id: personId, title });
    const { data } = await appOnly.spaces.search({ query: title, spaceFields: ["title"] });
    expect(data).toEqual([{ id, state: "live", title }]);
  },
};
