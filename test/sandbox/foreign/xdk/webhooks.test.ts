import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { present, startWithXdk, type XdkSandbox } from "./xdk-sandbox.ts";

const NOW = Date.UTC(2024, 5, 15, 12);
const URL = "https://bot.example/hook";

let fixture: XdkSandbox;
beforeEach(async () => {
  fixture = await startWithXdk({ clock: { now: NOW, frozen: true } });
});
afterEach(() => fixture.close());

/** Registers the webhook, and returns its id. */
async function webhook(): Promise<string> {
  const { data } = await fixture.appClient.webhooks.create({ url: URL });
  return present(data?.id);
}

/** Lets time pass, and waits for the deliveries of that time. */
async function pass(minutes: number): Promise<void> {
  await fixture.sandbox.control.advance(minutes * 60_000);
}

describe("npm @xdevplatform/xdk, unmodified: webhooks and account activity", () => {
  it("registers, subscribes, receives, lists and removes", async () => {
    const { webhooks, accountActivity: ofApp } = fixture.appClient;
    const { accountActivity: ofBot } = fixture.botClient;
    const id = await webhook();
    const listed = await webhooks.get();
    const subscribed = await ofBot.createSubscription(id, {});
    const confirmed = await ofBot.validateSubscription(id);
    await fixture.personClient.directMessages.createByParticipantId(fixture.bot, { text: "hi" });
    await pass(1);
    const subscriptions = await ofApp.getSubscriptions(id);
    const count = await ofApp.getSubscriptionCount();
    const validated = await webhooks.validate(id);
    const unsubscribed = await ofApp.deleteSubscription(id, fixture.bot);
    const removed = await webhooks.delete(id);

    expect(listed).toMatchObject({
      data: [{ id, url: URL, valid: true, createdAt: "2024-06-15T12:00:00.000Z" }],
      meta: { resultCount: 1 },
    });
    expect([subscribed.data, confirmed.data]).toEqual([{ subscribed: true }, { subscribed: true }]);
    expect(fixture.received.map(({ body }) => body)).toMatchObject([
      { for_user_id: fixture.bot, direct_message_events: [{ type: "message_create" }] },
    ]);
    expect(subscriptions.data).toMatchObject({
      webhookId: id,
      webhookUrl: URL,
      subscriptions: [{ userId: fixture.bot }],
    });
    expect(count.data).toMatchObject({ subscriptionsCountAll: "1" });
    expect(validated.data).toMatchObject({ valid: true });
    expect(unsubscribed.data).toEqual({ subscribed: false });
    expect(removed.data).toEqual({ deleted: true });
    expect(await webhooks.get()).toEqual({ data: [], meta: { resultCount: 0 } });
  });

  it("has events delivered again by a replay", async () => {
    const id = await webhook();
    await fixture.botClient.accountActivity.createSubscription(id, {});
    await pass(1);
    await fixture.personClient.posts.create({ text: "@hello_bot hi" });
    await pass(60);
    const job = await fixture.appClient.webhooks.createWebhookReplayJob({
      webhookId: id,
      fromDate: "202406151200",
      toDate: "202406151230",
    });
    await pass(10);
    const mention = { for_user_id: fixture.bot, post_create_events: [{ text: "@hello_bot hi" }] };

    expect(job).toMatchObject({ data: { createdAt: "2024-06-15T13:01:00.000Z" } });
    expect(fixture.received.map(({ body }) => body)).toMatchObject([
      mention,
      mention,
      { replay_job_status: { webhook_id: id, job_state: "Complete" } },
    ]);
  });

  it("reads the documented reasons of refusals", async () => {
    const id = await webhook();
    await fixture.botClient.accountActivity.createSubscription(id, {});

    await expect(fixture.appClient.webhooks.create({ url: URL })).rejects.toMatchObject({
      status: 400,
      data: { errors: [{ message: expect.stringMatching(/^DuplicateUrlFailed: /) as unknown }] },
    });
    await expect(
      fixture.botClient.accountActivity.createSubscription(id, {}),
    ).rejects.toMatchObject({
      status: 400,
      data: {
        errors: [{ message: expect.stringMatching(/^DuplicateSubscriptionFailed: /) as unknown }],
      },
    });
  });
});

describe("npm @xdevplatform/xdk, unmodified: subscriptions to event types", () => {
  it("subscribes, changes, lists and deletes; the event reaches webhook and stream", async () => {
    const webhookId = await webhook();
    const { activity, stream } = fixture.appClient;
    const created = await activity.createSubscription({
      eventType: "post.mention.create",
      filter: { userId: fixture.bot },
      tag: "mentions",
      webhookId,
    });
    const subscriptionId = present(created.data?.subscription?.subscriptionId);
    const changed = await activity.updateSubscription(subscriptionId, { tag: "all" });
    const listed = await activity.getSubscriptions();
    const events = await stream.activity();
    const event = new Promise((resolve) => void events.on("data", resolve));
    const ended = new Promise((resolve) => void events.on("close", resolve));
    await fixture.personClient.posts.create({ text: "@hello_bot hi" });
    await pass(1);
    const streamed = await event;
    await fixture.sandbox.control.strikeStreams({ type: "end" });
    await ended;
    const deleted = await activity.deleteSubscription(subscriptionId);
    const gone = await activity.deleteSubscriptionsByIds([subscriptionId]);

    expect(changed.data?.subscription).toMatchObject({ subscriptionId, tag: "all", webhookId });
    expect(listed.data).toMatchObject([{ subscriptionId, eventType: "post.mention.create" }]);
    expect(streamed).toMatchObject({ data: { event_type: "post.mention.create", tag: "all" } });
    expect(fixture.received.map(({ body }) => body)).toMatchObject([
      { data: { event_type: "post.mention.create", tag: "all" } },
    ]);
    expect(deleted.data).toEqual({ deleted: true });
    expect(gone.errors).toMatchObject([{ subscriptionId, reason: "SubscriptionNotFound" }]);
  });
});
