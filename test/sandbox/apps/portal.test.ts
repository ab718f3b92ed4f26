import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeEach(async () => {
  fixture = await startTestSandbox();
});
afterEach(() => fixture.close());

describe("the portal's page of an app", () => {
  it("lists the tokens of its users, and marks tokens that a change of the level ends", async () => {
    const { control } = fixture.sandbox;
    const { app_id: id } = fixture.app;
    const { access_token: token } = await control.tokens(fixture.person, id);
    const grant = {
      kind: "oauth1",
      user_id: fixture.person,
      hint: token.slice(-6),
      permission_level: "read-write-directmessages",
      works: true,
    };
    expect(await control.grants(id)).toMatchObject([grant]);

    await control.changeApp(id, { permission_level: "read" });
    expect(await control.grants(id)).toMatchObject([{ ...grant, works: false }]);
  });

  it("shows the used rate limits of the app and its users until the window ends", async () => {
    const { control } = fixture.sandbox;
    const { app_id: id } = fixture.app;
    await fixture.asBot("GET", "/2/users/me");
    await fixture.asApp("GET", "/2/webhooks");
    const { enabled, limits } = await control.usage(id);
    expect(enabled).toBe(true);
    expect(limits).toMatchObject([
      { endpoint: "GET /2/users/me", used: 1, window_ms: 900_000 },
      { endpoint: "GET /2/webhooks", used: 1, limit: 450, window_ms: 900_000 },
    ]);

    await control.advance(16 * 60_000);
    expect((await control.usage(id)).limits).toEqual([]);
  });

  it("counts the daily limits for writing, even if limits are off, until the day ends or they are reset", async () => {
    const { control } = fixture.sandbox;
    const { app_id: id } = fixture.app;
    const post = (): ReturnType<TestSandbox["asBot"]> =>
      fixture.asBot("POST", "/2/posts", { text: String(Math.random()) });
    await control.changeSettings({ limits: { enabled: false } });
    const { limits } = await control.changeUsage(id, {
      used: "all",
      user_id: fixture.bot,
      resets_in_ms: 3_600_000,
    });
    expect(limits).toContainEqual(
      expect.objectContaining({ endpoint: "POST /2/posts", used: 10_000, limit: 10_000 }),
    );
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-app-limit-24hour-remaining")).toBe("0");
    expect((await fixture.asBot("GET", "/2/users/me")).status).toBe(200);

    await control.advance(3_600_001);
    expect((await post()).status).toBe(201);
    await control.changeUsage(id, { used: "all" });
    await control.changeUsage(id, { used: "none" });
    expect((await post()).status).toBe(201);
    await control.changeSettings({ limits: { enabled: true } });
  });

  it("has webhooks and subscriptions, and ends them", async () => {
    const { control } = fixture.sandbox;
    const { app_id: id } = fixture.app;
    const webhook = await fixture.subscribed();
    expect(await control.webhooks()).toMatchObject([{ id: webhook, app_id: id, valid: true }]);
    expect(await control.challengeWebhook(webhook)).toEqual({ valid: true });
    expect((await control.deliveries(0, "crc")).map(({ outcome }) => outcome)).toEqual([
      "passed",
      "passed",
    ]);
    const subscribed = { webhook_id: webhook, user_id: fixture.bot };
    expect(await control.subscriptions(id)).toMatchObject({
      plan: "enterprise",
      used: 1,
      subscriptions: [subscribed],
    });

    await control.unsubscribe(webhook, fixture.bot);
    expect((await control.subscriptions(id)).subscriptions).toEqual([]);
    await control.removeWebhook(webhook);
    expect(await control.webhooks()).toEqual([]);
    await expect(control.challengeWebhook(webhook)).rejects.toThrow("There is no webhook");
    await expect(control.registerWebhook(id, "http://bot.example/")).rejects.toThrow("https");
  });
});
