import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signed, startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeEach(async () => {
  fixture = await startTestSandbox({}, { dialect: "tweet" });
});
afterEach(() => fixture.close());

const ENV = "/1.1/account_activity/all/dev";
const hook = (path = "hook"): string =>
  `${ENV}/webhooks.json?url=${encodeURIComponent(`https://bot.example/${path}`)}`;

/** Sends a request as the bot, or as the app alone; the body is `undefined` if there is none. */
async function ask(
  method: string,
  path: string,
  by: "bot" | "app" = "bot",
): Promise<{ status: number; body: unknown }> {
  const url = fixture.sandbox.url + path;
  const tokens = await fixture.sandbox.control.tokens(fixture.bot, fixture.app.app_id);
  const authorization =
    by === "app" ? `Bearer ${fixture.app.bearer_token}` : signed(fixture.app, tokens, method, url);
  const answer = await fetch(url, { method, headers: { authorization } });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}

const refusal = (code: number, message: string): unknown => ({ errors: [{ code, message }] });
const done = { status: 204, body: undefined };

describe("Versioning: the legacy account activity interface next to v2", () => {
  it("registers, subscribes, delivers, and undoes each", async () => {
    const created = await ask("POST", hook());
    const { id } = Object(created.body) as { id: string };
    const before = await ask("GET", `${ENV}/subscriptions.json`);
    const subscribed = await ask("POST", `${ENV}/subscriptions.json`);
    const held = await ask("GET", `${ENV}/subscriptions.json`);
    await fixture.sandbox.control.act(fixture.person, {
      type: "dm",
      to: fixture.bot,
      text: "hello",
    });
    await fixture.idle();
    const list = await ask("GET", `${ENV}/subscriptions/list.json`, "app");
    const gone = await ask("DELETE", `${ENV}/subscriptions/${fixture.bot}.json`, "app");
    const checked = await ask("PUT", `${ENV}/webhooks/${id}.json`);
    const removed = await ask("DELETE", `${ENV}/webhooks/${id}.json`);

    expect(created).toEqual({
      status: 200,
      body: {
        id,
        url: "https://bot.example/hook",
        valid: true,
        created_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown,
      },
    });
    expect(before).toEqual({ status: 404, body: refusal(34, "Sorry, that page does not exist.") });
    expect([subscribed, held, gone, checked, removed]).toEqual([done, done, done, done, done]);
    expect(fixture.received.map(({ body }) => Object.keys(body)[1])).toEqual([
      "direct_message_events",
    ]);
    expect(list.body).toEqual({
      environment: "dev",
      application_id: fixture.app.app_id,
      subscriptions: [{ user_id: fixture.bot }],
    });
    expect((await ask("GET", `${ENV}/webhooks.json`, "app")).body).toEqual([]);
  });

  it("supports the requests of older and newer clients", async () => {
    const created = await ask("POST", hook());
    const { id } = Object(created.body) as { id: string };
    await ask("POST", `${ENV}/subscriptions.json`);
    const listed = await ask("GET", `${ENV}/webhooks.json`);
    const everywhere = await ask("GET", "/1.1/account_activity/all/webhooks.json", "app");
    const counted = await ask("GET", "/1.1/account_activity/all/count.json", "app");
    const checked = await ask("PUT", `${ENV}/webhooks/${id}.json`, "app");
    const gone = await ask("DELETE", `${ENV}/subscriptions.json`);
    const again = await ask("DELETE", `${ENV}/subscriptions.json`);

    expect(listed.body).toEqual([created.body]);
    expect(everywhere.body).toEqual({
      environments: [{ environment_name: "default", webhooks: [created.body] }],
    });
    expect(counted.body).toMatchObject({ subscriptions_count: "1" });
    expect([checked, gone]).toEqual([done, done]);
    expect(again).toEqual({ status: 404, body: refusal(34, "Sorry, that page does not exist.") });
  });

  it("shows v2 and 1.1 the same records", async () => {
    await fixture.subscribed();

    expect((await ask("GET", `${ENV}/webhooks.json`, "app")).body).toMatchObject([{ valid: true }]);
    expect(
      (await ask("GET", "/1.1/account_activity/all/subscriptions/count.json", "app")).body,
    ).toMatchObject({ subscriptions_count: "1", provisioned_count: "5000" });
  });

  it("refuses in the words and codes of version 1.1", async () => {
    const none = await ask("POST", `${ENV}/subscriptions.json`);
    await fixture.subscribed();
    const again = await ask("POST", `${ENV}/subscriptions.json`);
    const plain = await ask("POST", `${ENV}/webhooks.json?url=http%3A%2F%2Fbot.example`);
    const duplicate = await ask("POST", hook());
    fixture.answers.secret = "guess";
    const wrong = await ask("POST", hook("other"));
    const unknown = await ask("DELETE", `${ENV}/webhooks/5.json`);

    expect([none.status, none.body]).toEqual([
      404,
      refusal(34, "Sorry, that page does not exist."),
    ]);
    expect([again.status, again.body]).toEqual([409, refusal(355, "Subscription already exists.")]);
    expect([plain.status, plain.body]).toEqual([
      400,
      refusal(214, "Webhook URL does not meet the requirements."),
    ]);
    expect([duplicate.status, duplicate.body]).toEqual([
      403,
      refusal(214, "Too many resources already created."),
    ]);
    expect(wrong.body).toEqual(
      refusal(
        214,
        "Webhook URL does not meet the requirements. Invalid CRC token or json response format.",
      ),
    );
    expect(unknown.status).toBe(404);
  });
});
