import { TwitterApi } from "twitter-api-v2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LeadingAgent } from "../../support/leading-agent.ts";
import { type TwitterApiSandbox, startWithTwitterApi } from "./twitter-api-sandbox.ts";

let fixture: TwitterApiSandbox;
beforeEach(async () => {
  fixture = await startWithTwitterApi();
});
afterEach(() => fixture.close());

describe("npm twitter-api-v2, unmodified: Webhook management and Account activity", () => {
  it("registers, subscribes, gets deliveries, and undoes all of it", async () => {
    const app = fixture.asAppClient.v2;
    const created = await app.post<{ data: { id: string } }>("webhooks", {
      url: "https://bot.example/hook",
    });
    const hook = `account_activity/webhooks/${created.data.id}/subscriptions`;
    const subscribed = await fixture.asBotClient.v2.post(`${hook}/all`);
    const held = await fixture.asBotClient.v2.get(`${hook}/all`);
    await fixture.asPersonClient.v2.sendDmToParticipant(fixture.bot, { text: "anybody home?" });
    await fixture.idle();
    const list = await app.get(`${hook}/all/list`);
    const gone = await app.delete(`${hook}/${fixture.bot}/all`);
    const checked = await app.put(`webhooks/${created.data.id}`);
    const removed = await app.delete(`webhooks/${created.data.id}`);

    expect([subscribed, held]).toEqual([
      { data: { subscribed: true } },
      { data: { subscribed: true } },
    ]);
    expect(fixture.received.map(({ body }) => body)).toMatchObject([
      { for_user_id: fixture.bot, direct_message_events: [{ type: "message_create" }] },
    ]);
    expect(list).toMatchObject({ data: { subscriptions: [{ user_id: fixture.bot }] } });
    expect(gone).toEqual({ data: { subscribed: false } });
    expect(checked).toMatchObject({ data: { valid: true } });
    expect(removed).toEqual({ data: { deleted: true } });
    expect(await app.get("webhooks")).toEqual({ data: [], meta: { result_count: 0 } });
  });

  it("reads the documented reason of a refusal", async () => {
    const url = "https://bot.example/hook";
    await fixture.asAppClient.v2.post("webhooks", { url });
    const again = fixture.asAppClient.v2.post("webhooks", { url });

    await expect(again).rejects.toMatchObject({
      code: 400,
      data: { errors: [{ message: expect.stringMatching(/^DuplicateUrlFailed: /) as unknown }] },
    });
  });
});

describe("npm twitter-api-v2, unmodified: app-only log-in", () => {
  it("reads with the token it logged in for", async () => {
    const agent = new LeadingAgent(fixture.sandbox.url);
    const keys = { appKey: fixture.app.consumer_key, appSecret: fixture.app.consumer_secret };
    const client = await new TwitterApi(keys, { httpAgent: agent }).appLogin();
    const { data } = await client.v2.user(fixture.bot);
    agent.destroy();

    expect(data.username).toBe("hello_bot");
  });
});
