import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { READ_EVENT_TYPES } from "../../../src/events/activity-event-types.ts";
import type { ActivityEventType } from "../../../src/protocol/activity-event-types.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { chosenWay, type WebhookSourceName } from "../../../src/runtime/webhook-link/chosen-way.ts";
import type { SubscriptionWay } from "../../../src/runtime/webhook-link/ways.ts";
import { answerChallenge } from "../../../src/runtime/webhook/challenge.ts";
import type { ProjectSpec } from "../../../src/sandbox/control/objects.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { listening } from "../../support/listening.ts";

const NEEDED: readonly ActivityEventType[] = ["dm.received", "follow.follow"];

let sandbox: RunningSandbox;
const closing: Client[] = [];
beforeEach(async () => {
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
});
afterEach(async () => {
  for (const client of closing.splice(0)) await client.close();
  await sandbox.close();
});

/** Creates an app with a webhook and one account. */
async function stage(plan: ProjectSpec["plan"] = "enterprise") {
  const { control } = sandbox;
  const project_id = await control.project({ name: plan, plan });
  const app = await control.app({ project_id });
  const id = await control.user("hello_bot");
  const tokens = await control.tokens(id, app.app_id);
  const owner = createClient({
    baseUrl: sandbox.url,
    credentials: { type: "bearer", bearerToken: app.bearer_token },
  });
  closing.push(owner);
  const client = owner.as({
    type: "oauth1",
    consumerKey: app.consumer_key,
    consumerSecret: app.consumer_secret,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
  const webhook = (name = "bot"): Promise<string> =>
    listening(
      (request, response) => {
        const token = new URLSearchParams(request.url?.split("?")[1]).get("crc_token");
        const answer = answerChallenge(token, app.consumer_secret);
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(answer.ok ? answer.body : {}));
      },
      async (origin) => {
        await control.host(`${name}.example`, origin);
        return (await owner.webhooks.create(`https://${name}.example/webhook`)).id;
      },
    );
  let isUsed = false;
  const memory = { wasUsed: async () => isUsed, keep: async () => void (isUsed = true) };
  const wayBy = (source: WebhookSourceName, needed = NEEDED): SubscriptionWay =>
    chosenWay(source, {
      app: owner,
      needed: () => new Set(needed),
      log: openLog({ level: "silent" }),
      memory,
    });
  const accounts = new Map([[id, client]]);
  /** Subscribes the account as one check of the link does. */
  const mend = async (way: SubscriptionWay, webhookId: string): Promise<void> => {
    const there = await way.subscribers(webhookId, [id]);
    if (!there.has(id)) await way.subscribe(client, { userId: id, webhookId });
    await way.fill?.(accounts, webhookId);
  };
  const subscribed = async (at: string): Promise<string[]> => {
    const types: string[] = [];
    for await (const one of owner.activitySubscriptions.list()) {
      if (one.webhook_id === at) types.push(one.event_type);
    }
    return types.toReversed();
  };
  const byOlder = async (at: string): Promise<boolean> =>
    (await owner.activity.list(at)).subscriptions.length > 0;
  return { id, owner, client, webhook, wayBy, mend, subscribed, byOlder };
}

/** Makes account activity refuse everything from now on. */
const endAccountActivity = () =>
  sandbox.control.addFault({
    match: { direction: "request", path: "/2/account_activity/*" },
    fault: { type: "status", status: 403 },
    when: { always: true },
  });

describe("the activity interface", () => {
  it("subscribes to the necessary event types first, then to other useful ones", async () => {
    const { webhook, wayBy, mend, subscribed, byOlder } = await stage();
    const at = await webhook();
    await mend(wayBy("activity"), at);
    const types = await subscribed(at);
    expect(types.slice(0, 2)).toEqual(NEEDED);
    expect(new Set(types)).toEqual(new Set(READ_EVENT_TYPES));
    expect(await byOlder(at)).toBe(false);
  });

  it("works with the necessary event types if the plan allows no more", async () => {
    const { id, webhook, wayBy, mend, subscribed } = await stage("pay-per-use");
    const at = await webhook();
    const way = wayBy("activity");
    await mend(way, at);
    expect(await subscribed(at)).toEqual([...NEEDED, "post.mention.create"]);
    expect(await way.subscribers(at, [id])).toEqual(new Set([id]));
  });

  it("subscribes to the other event types later if the platform is down for a moment", async () => {
    const { id, client, webhook, wayBy, mend, subscribed } = await stage();
    const at = await webhook();
    const way = wayBy("activity");
    await way.subscribe(client, { userId: id, webhookId: at });
    const faultId = await sandbox.control.addFault({
      match: { direction: "request", path: "/2/activity/subscriptions" },
      fault: { type: "status", status: 503 },
      when: { always: true },
    });
    await way.fill?.(new Map([[id, client]]), at);
    await sandbox.control.clearFaults(faultId);
    await mend(way, at);

    expect(new Set(await subscribed(at))).toEqual(new Set(READ_EVENT_TYPES));
  });

  it("refuses an account if the plan does not allow the necessary event types", async () => {
    const { webhook, wayBy, mend } = await stage("pay-per-use");
    const way = wayBy("activity", READ_EVENT_TYPES.slice(0, 4));
    await expect(mend(way, await webhook())).rejects.toMatchObject({
      reason: "SubscriptionLimitExceeded",
    });
  });

  it("notices an account whose subscription was deleted, and creates it again", async () => {
    const { id, owner, webhook, wayBy, mend, subscribed } = await stage();
    const at = await webhook();
    const way = wayBy("activity");
    await mend(way, at);
    const { data } = await owner.activitySubscriptions.list();
    const gone = data.find(({ event_type }) => event_type === "dm.received");
    await owner.activitySubscriptions.delete(gone?.subscription_id ?? "");
    expect(await way.subscribers(at, [id])).toEqual(new Set());
    await mend(way, at);
    expect(await subscribed(at)).toContain("dm.received");
  });

  it("moves subscriptions that lost their webhook to the new one", async () => {
    const { owner, webhook, wayBy, mend, subscribed } = await stage();
    const first = await webhook();
    const way = wayBy("activity");
    await mend(way, first);
    await owner.webhooks.delete(first);
    const second = await webhook("other");
    await mend(way, second);
    expect(new Set(await subscribed(second))).toEqual(new Set(READ_EVENT_TYPES));
    expect((await owner.activitySubscriptions.list()).data).toHaveLength(READ_EVENT_TYPES.length);
  });

  it("ends the subscription of account activity once its own exists", async () => {
    const { webhook, wayBy, mend, byOlder } = await stage();
    const at = await webhook();
    await mend(wayBy("webhook"), at);
    expect(await byOlder(at)).toBe(true);
    await mend(wayBy("activity"), at);
    expect(await byOlder(at)).toBe(false);
  });

  it("removes everything if the settings change back to account activity", async () => {
    const { webhook, wayBy, mend, byOlder, subscribed } = await stage();
    const at = await webhook();
    await mend(wayBy("both"), at);
    expect(await subscribed(at)).not.toEqual([]);
    await mend(wayBy("webhook"), at);
    expect([await byOlder(at), await subscribed(at)]).toEqual([true, []]);
  });

  it.each([
    { before: "activity", now: "webhook" },
    { before: "webhook", now: "activity" },
  ] as const)(
    "changes from $before to $now also for an account that the platform accepts later",
    async ({ before, now }) => {
      const { webhook, wayBy, mend, byOlder, subscribed } = await stage();
      const at = await webhook();
      await mend(wayBy(before), at);
      await wayBy(now).fill?.(new Map(), at);
      const afterRestart = wayBy(now);
      await afterRestart.fill?.(new Map(), at);
      await mend(afterRestart, at);
      expect([await byOlder(at), (await subscribed(at)).length > 0]).toEqual([
        now === "webhook",
        now === "activity",
      ]);
    },
  );

  it("works after the end of account activity, and ends all subscriptions of an account", async () => {
    const { id, webhook, wayBy, mend, subscribed } = await stage();
    const at = await webhook();
    await endAccountActivity();
    const way = wayBy("activity");
    await mend(way, at);
    expect(await subscribed(at)).toHaveLength(READ_EVENT_TYPES.length);
    await way.unsubscribe({ userId: id, webhookId: at });
    expect(await subscribed(at)).toEqual([]);
  });
});

describe("both interfaces", () => {
  it("subscribe both, but use account activity alone for events without an id", async () => {
    const { id, webhook, wayBy, mend, subscribed, byOlder } = await stage();
    const at = await webhook();
    const way = wayBy("both");
    await mend(way, at);
    expect(await byOlder(at)).toBe(true);
    const types = await subscribed(at);
    expect(types).toEqual(expect.arrayContaining(["dm.received", "like.create", "dm.sent"]));
    expect(types.filter((type) => /^(follow|mute|block)\./.test(type))).toEqual([]);
    expect(await way.subscribers(at, [id])).toEqual(new Set([id]));
    await way.unsubscribe({ userId: id, webhookId: at });
    expect([await byOlder(at), await subscribed(at)]).toEqual([false, []]);
  });

  it("end the activity interface's additional subscriptions once account activity accepts the account", async () => {
    const { webhook, wayBy, mend, subscribed } = await stage();
    const at = await webhook();
    await mend(wayBy("activity"), at);
    expect(await subscribed(at)).toContain("follow.follow");
    await mend(wayBy("both"), at);
    const types = await subscribed(at);
    expect(types.filter((type) => /^(follow|mute|block)\./.test(type))).toEqual([]);
    expect(types).toContain("dm.received");
  });

  it("continue with the activity interface alone after the end of account activity", async () => {
    const { id, webhook, wayBy, mend, subscribed } = await stage();
    const at = await webhook();
    await endAccountActivity();
    const way = wayBy("both");
    await mend(way, at);
    expect(await way.subscribers(at, [id])).toEqual(new Set([id]));
    expect(new Set(await subscribed(at))).toEqual(new Set(READ_EVENT_TYPES));
  });

  it("continue with account activity alone if the activity interface refuses", async () => {
    const { id, webhook, wayBy, mend, byOlder } = await stage();
    const at = await webhook();
    await sandbox.control.addFault({
      match: { direction: "request", path: "/2/activity/*" },
      fault: { type: "status", status: 403 },
      when: { always: true },
    });
    const way = wayBy("both");
    await mend(way, at);
    expect(await way.subscribers(at, [id])).toEqual(new Set([id]));
    expect(await byOlder(at)).toBe(true);
  });

  it("refuse an account that both refuse, and report nothing while the platform is down", async () => {
    const { id, webhook, wayBy, mend } = await stage();
    const at = await webhook();
    const way = wayBy("both");
    await sandbox.control.addFault({
      match: { direction: "request" },
      fault: { type: "status", status: 503 },
      when: { next: 1 },
    });
    await expect(way.subscribers(at, [id])).rejects.toMatchObject({ status: 503 });
    await sandbox.control.addFault({
      match: { direction: "request" },
      fault: { type: "status", status: 403 },
      when: { always: true },
    });
    await expect(mend(way, at)).rejects.toMatchObject({ status: 403 });
  });
});
