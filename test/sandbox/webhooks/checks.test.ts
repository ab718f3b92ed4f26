import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { startTestSandbox, type TestSandbox, type ApiResponse } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let webhook: string;
beforeEach(async () => {
  fixture = await startTestSandbox();
  webhook = await fixture.subscribed();
});
afterEach(() => fixture.close());

function reasonOf({ status, body }: ApiResponse): unknown {
  const { errors } = body as { errors?: { message: string }[] };
  return [status, errors?.[0]?.message.split(": ")[0]];
}

describe("webhook management", () => {
  it("PUT makes an invalid webhook valid again", async () => {
    const valid = async (): Promise<unknown> =>
      ((await fixture.asApp("GET", "/2/webhooks")).body["data"] as { valid: boolean }[])[0]?.valid;
    fixture.answers.secret = "another";
    await fixture.asApp("PUT", `/2/webhooks/${webhook}`);
    expect(await valid()).toBe(false);

    fixture.answers.secret = fixture.app.consumer_secret;
    const put = await fixture.asApp("PUT", `/2/webhooks/${webhook}`);

    expect([put.status, put.body]).toEqual([200, { data: { valid: true, attempted: true } }]);
    expect(await valid()).toBe(true);
  });

  test.each([
    { method: "PUT", id: "123", why: "not there" },
    { method: "DELETE", id: "123", why: "not there" },
    { method: "PUT", id: undefined, why: "another app's" },
    { method: "DELETE", id: undefined, why: "another app's" },
  ])("refuses $method of a webhook that is $why", async ({ method, id }) => {
    const other = fixture.callersFor(await fixture.sandbox.control.app(), fixture.bot);

    expect(reasonOf(await other.asApp(method, `/2/webhooks/${id ?? webhook}`))).toEqual([
      400,
      "WebhookIdInvalid",
    ]);
  });

  test.each([
    { method: "POST", path: () => "/2/webhooks" },
    { method: "GET", path: () => "/2/webhooks" },
    { method: "PUT", path: () => `/2/webhooks/${webhook}` },
    { method: "DELETE", path: () => `/2/webhooks/${webhook}` },
  ])("$method takes the app-only token only", async ({ method, path }) => {
    expect(await fixture.asBot(method, path())).toMatchObject({
      status: 403,
      body: { title: "Unsupported Authentication" },
    });
  });
});

it("a challenge carries a fresh token each time", async () => {
  await fixture.sandbox.control.advance(3_600_000);
  await fixture.asApp("PUT", `/2/webhooks/${webhook}`);

  const tokens = fixture.challenges.map((url) =>
    new URL(url, "http://x").searchParams.get("crc_token"),
  );
  // Challenges come at the registration, hourly, and on PUT.
  expect(tokens).toHaveLength(3);
  expect(new Set(tokens).size).toBe(3);
});

it("an OAuth 2.0 user token is refused on version 1.1", async () => {
  const { control, url } = fixture.sandbox;
  const state = await control.get<{ tables: Record<string, object[]> }>("/state");
  const [token, scope] = ["a-user-token", "users.read tweet.read"];
  const row = {
    token,
    scope,
    scopes: scope.split(" "),
    appId: fixture.app.app_id,
    userId: fixture.bot,
  };
  state.tables["user_tokens"] = [{ ...row, expiresAt: Date.now() + 60_000 }];
  await control.call("PUT", "/state", state);
  const ask = async (path: string): Promise<number> =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status;

  expect(await ask("/2/users/me")).toBe(200);
  expect(await ask("/1.1/account/verify_credentials.json")).toBe(403);
});
