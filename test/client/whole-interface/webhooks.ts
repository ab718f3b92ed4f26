import { expect } from "vitest";
import { failureOf } from "../support/world.ts";
import type { CallsOf, Stage } from "./stage.ts";

export const webhooks: CallsOf<"webhooks"> = {
  create: ({ withWebhook }) =>
    withWebhook(async (webhook) => {
      expect(webhook).toMatchObject({ url: expect.stringMatching(/^https:/), valid: true });
    }),
  list: ({ appOnly, withWebhook }) =>
    withWebhook(async (webhook) => {
      expect(await appOnly.webhooks.list()).toEqual([webhook]);
    }),
  validate: ({ appOnly, withWebhook }) =>
    withWebhook(async ({ id }) => {
      expect(await appOnly.webhooks.validate(id)).toMatchObject({ valid: true });
    }),
  delete: async ({ appOnly, word }) => {
    const { id } = await appOnly.webhooks.create(`https://bot.example/${word()}`);
    expect(await appOnly.webhooks.delete(id)).toEqual({ deleted: true });
    expect(await appOnly.webhooks.list()).toEqual([]);
  },
};

export const activity: CallsOf<"activity"> = {
  subscribe: ({ bot, withWebhook }) =>
    withWebhook(async ({ id }) => {
      expect(await bot.activity.subscribe(id)).toEqual({ subscribed: true });
      const again = await failureOf(bot.activity.subscribe(id));
      expect(again).toMatchObject({ reason: "DuplicateSubscriptionFailed" });
    }),
  isSubscribed: ({ bot, person, withWebhook }) =>
    withWebhook(async ({ id }) => {
      await bot.activity.subscribe(id);
      expect(await bot.activity.isSubscribed(id)).toBe(true);
      expect(await person.activity.isSubscribed(id)).toBe(false);
    }),
  unsubscribe: ({ appOnly, bot, botId: userId, withWebhook }) =>
    withWebhook(async ({ id: webhookId }) => {
      await bot.activity.subscribe(webhookId);
      const ended = await appOnly.activity.unsubscribe({ webhookId, userId });
      expect(ended).toEqual({ subscribed: false });
      expect(await bot.activity.isSubscribed(webhookId)).toBe(false);
    }),
  list: ({ appOnly, bot, botId, withWebhook }) =>
    withWebhook(async ({ id, url }) => {
      await bot.activity.subscribe(id);
      expect(await appOnly.activity.list(id)).toMatchObject({
        webhook_id: id,
        webhook_url: url,
        subscriptions: [{ user_id: botId }],
      });
    }),
  count: ({ appOnly, bot, withWebhook }) =>
    withWebhook(async ({ id }) => {
      await bot.activity.subscribe(id);
      expect(await appOnly.activity.count()).toMatchObject({
        subscriptions_count_all: "1",
        subscriptions_count_direct_messages: "0",
      });
    }),
};

export const replay: CallsOf<"replay"> = {
  start: (stage) => replayed(stage, "start"),
  startJob: (stage) => replayed(stage, "startJob"),
};

/** Starts a replay job. While it runs, the platform refuses a second one. */
function replayed(
  { appOnly, sandbox, withWebhook }: Stage,
  how: keyof typeof replay,
): Promise<void> {
  return withWebhook(async ({ id: webhookId }) => {
    const { now } = await sandbox.control.get<{ now: string }>("/clock");
    const ago = (minutes: number): Date => new Date(Date.parse(now) - minutes * 60_000);
    const window = { webhookId, from: ago(90), to: ago(30) };
    const job = await appOnly.replay[how](window);
    expect(job).toEqual({ job_id: expect.any(String), created_at: expect.any(String) });
    const second = await failureOf(appOnly.replay[how](window));
    expect(second).toMatchObject({ reason: "ReplayConflictError" });
  });
}
