import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import type { CallsOf } from "./stage.ts";

export const users: CallsOf<"users"> = {
  me: async ({ bot, botId }) => {
    const { data } = await bot.users.me({ userFields: ["public_metrics"] });
    expect(data).toMatchObject({ id: botId, username: "hello_bot" });
    expect(data.public_metrics.post_count).toBeGreaterThanOrEqual(0);
  },
  get: async ({ appOnly, somebody }) => {
    const { id, username } = await somebody();
    expect((await appOnly.users.get(id)).data).toEqual({ id, username, name: username });
  },
  byUsername: async ({ appOnly, somebody }) => {
    const { id, username } = await somebody();
    expect((await appOnly.users.byUsername(username)).data.id).toBe(id);
  },
  lookup: async ({ appOnly, botId, personId }) => {
    const result = await appOnly.users.lookup([botId, "99", personId]);
    expect(result.data.map(({ id }) => id)).toEqual([botId, personId]);
    expect(result.errors).toMatchObject([{ value: "99" }]);
  },
  lookupByUsername: async ({ appOnly, botId }) => {
    const result = await appOnly.users.lookupByUsername(["hello_bot", "nobody_here"]);
    expect(result.data).toMatchObject([{ id: botId }]);
    expect(result.errors).toHaveLength(1);
  },
  search: async ({ bot, somebody }) => {
    const { id, username } = await somebody();
    expect((await bot.users.search({ query: username, maxResults: 1 })).data).toMatchObject([
      { id },
    ]);
  },
};

export const follows: CallsOf<"follows"> = {
  create: async ({ bot, botId, somebody }) => {
    const { id: targetUserId } = await somebody();
    const created = await bot.follows.create({ userId: botId, targetUserId });
    expect(created).toEqual({ following: true, pending_follow: false });
  },
  delete: async ({ bot, botId, somebody }) => {
    const ids = { userId: botId, targetUserId: (await somebody()).id };
    await bot.follows.create(ids);
    expect(await bot.follows.delete(ids)).toEqual({ following: false });
    expect((await bot.follows.followers(ids.targetUserId)).data).toEqual([]);
  },
  followers: async ({ bot, botId, somebody }) => {
    const { id: targetUserId } = await somebody();
    await bot.follows.create({ userId: botId, targetUserId });
    expect((await bot.follows.followers(targetUserId)).data).toMatchObject([{ id: botId }]);
  },
  following: async ({ botId, somebody }) => {
    const { id: userId, client } = await somebody();
    await client.follows.create({ userId, targetUserId: botId });
    expect((await client.follows.following(userId)).data).toMatchObject([{ id: botId }]);
  },
};

export const mutes: CallsOf<"mutes"> = {
  create: async ({ bot, botId, somebody }) => {
    const { id: targetUserId } = await somebody();
    expect(await bot.mutes.create({ userId: botId, targetUserId })).toEqual({ muting: true });
  },
  delete: async ({ botId, somebody }) => {
    const { id: userId, client } = await somebody();
    await client.mutes.create({ userId, targetUserId: botId });
    expect(await client.mutes.delete({ userId, targetUserId: botId })).toEqual({ muting: false });
    expect((await client.mutes.list(userId)).data).toEqual([]);
  },
  list: async ({ botId, somebody }) => {
    const { id: userId, client } = await somebody();
    await client.mutes.create({ userId, targetUserId: botId });
    expect((await client.mutes.list(userId)).data).toMatchObject([{ id: botId }]);
  },
};

export const blocks: CallsOf<"blocks"> = {
  create: async ({ bot, botId, somebody }) => {
    const { id: targetUserId } = await somebody();
    expect(await bot.blocks.create({ userId: botId, targetUserId })).toEqual({ blocking: true });
  },
  delete: async ({ botId, somebody }) => {
    const { id: userId, client } = await somebody();
    await client.blocks.create({ userId, targetUserId: botId });
    expect(await client.blocks.delete({ userId, targetUserId: botId })).toEqual({
      blocking: false,
    });
    expect((await client.blocks.list(userId)).data).toEqual([]);
  },
  createForMessages: async ({ bot, botId, somebody, word }) => {
    const { id, client } = await somebody();
    expect(await bot.blocks.createForMessages(id)).toEqual({ blocked: true });
    const message = client.dms.send({ participantId: botId, text: word() });
    expect(await failureOf(message)).toMatchObject({ status: 403 });
  },
  deleteForMessages: async ({ bot, botId, somebody, word }) => {
    const { id, client } = await somebody();
    await bot.blocks.createForMessages(id);
    expect(await bot.blocks.deleteForMessages(id)).toEqual({ blocked: false });
    const sent = await client.dms.send({ participantId: botId, text: word() });
    expect(sent.dm_event_id).toMatch(/^\d+$/);
  },
  list: async ({ botId, somebody }) => {
    const { id: userId, client } = await somebody();
    await client.blocks.create({ userId, targetUserId: botId });
    expect((await client.blocks.list(userId)).data).toMatchObject([{ id: botId }]);
  },
};

export const account: CallsOf<"account"> = {
  verifyCredentials: async ({ bot, botId }) => {
    const who = await bot.account.verifyCredentials();
    expect(who).toMatchObject({ id_str: botId, screen_name: "hello_bot" });
    expect(bot.accessLevel).toBe("read-write-directmessages");
  },
  invalidateToken: async ({ somebody }) => {
    const { client } = await somebody();
    await client.account.invalidateToken();
    expect(await failureOf(client.users.me())).toMatchObject({ status: 401 });
  },
};
