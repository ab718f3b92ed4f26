import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import type { CallsOf, Stage } from "./stage.ts";

/** Creates a subscription to messages to the bot, and deletes it afterwards. */
async function withSubscription(
  { bot, appOnly, botId: userId }: Stage,
  use: (id: string) => Promise<void>,
): Promise<void> {
  const created = await bot.activitySubscriptions.create({ eventType: "dm.received", userId });
  try {
    await use(created.subscription_id);
  } finally {
    await appOnly.activitySubscriptions.deleteMany([created.subscription_id]);
  }
}

export const activitySubscriptions: CallsOf<"activitySubscriptions"> = {
  create: (stage) =>
    stage.withWebhook(async ({ id: webhookId }) => {
      const { bot, appOnly, botId: userId } = stage;
      const wanted = { eventType: "post.mention.create", userId, webhookId, tag: "names" } as const;
      const created = await bot.activitySubscriptions.create({ ...wanted, direction: "inbound" });
      expect(created).toMatchObject({
        event_type: "post.mention.create",
        filter: { user_id: userId, direction: "inbound" },
        webhook_id: webhookId,
        tag: "names",
      });
      const again = bot.activitySubscriptions.create({ ...wanted, direction: "inbound" });
      expect(await failureOf(again)).toMatchObject({ reason: "DuplicateSubscriptionFailed" });
      await appOnly.activitySubscriptions.delete(created.subscription_id);
    }),
  list: (stage) =>
    withSubscription(stage, async (id) => {
      const { appOnly, bot, botId: userId } = stage;
      const other = await bot.activitySubscriptions.create({ eventType: "dm.sent", userId });
      const types: string[] = [];
      for await (const one of appOnly.activitySubscriptions.list({ maxResults: 1 })) {
        types.push(one.event_type);
      }
      expect(types).toEqual(["dm.sent", "dm.received"]);
      expect((await bot.activitySubscriptions.list()).data).toHaveLength(2);
      const both = await appOnly.activitySubscriptions.deleteMany([id, other.subscription_id]);
      expect(both).toEqual({ deleted: [id, other.subscription_id], failed: [] });
    }),
  update: (stage) =>
    withSubscription(stage, async (id) => {
      const changed = await stage.appOnly.activitySubscriptions.update(id, { tag: "letters" });
      expect(changed).toMatchObject({ subscription_id: id, tag: "letters" });
    }),
  delete: (stage) =>
    withSubscription(stage, async (id) => {
      const { appOnly } = stage;
      expect(await appOnly.activitySubscriptions.delete(id)).toEqual({ deleted: true });
      const again = await failureOf(appOnly.activitySubscriptions.delete(id));
      expect(again).toMatchObject({ reason: "SubscriptionNotFound" });
    }),
  events: async ({ appOnly, bot, botId: userId, word }) => {
    const created = await bot.activitySubscriptions.create({ eventType: "post.create", userId });
    const text = word();
    const ending = new AbortController();
    let post: ReturnType<typeof bot.posts.create> | undefined;
    const events = appOnly.activitySubscriptions.events({
      signal: ending.signal,
      onConnect: () => void (post = bot.posts.create({ text })),
    });
    const first = await events.next();
    expect(first.value).toMatchObject({
      event_type: "post.create",
      filter: { user_id: userId },
      payload: { id: (await post)?.id, text, author_id: userId },
      includes: { users: [{ id: userId }] },
    });
    ending.abort();
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await appOnly.activitySubscriptions.delete(created.subscription_id);
  },
  deleteMany: (stage) =>
    withSubscription(stage, async (id) => {
      const { deleted, failed } = await stage.appOnly.activitySubscriptions.deleteMany([id, "7"]);
      expect(deleted).toEqual([id]);
      expect(failed).toMatchObject([{ subscription_id: "7" }]);
    }),
};
