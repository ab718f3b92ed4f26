import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { stage, type Stage, type Told } from "../support/stage.ts";

let at: Stage;
let webhook: string;
beforeEach(async () => {
  at = await stage();
  webhook = await at.subscribed();
});
afterEach(() => at.close());

function reasonOf({ status, body }: Told): unknown {
  const { errors } = body as { errors?: { message: string }[] };
  return [status, errors?.[0]?.message.split(": ")[0]];
}

describe("webhook management", () => {
  it("PUT makes an invalid webhook valid again", async () => {
    const valid = async (): Promise<unknown> =>
      ((await at.asApp("GET", "/2/webhooks")).body["data"] as { valid: boolean }[])[0]?.valid;
    at.answers.secret = "another";
    await at.asApp("PUT", `/2/webhooks/${webhook}`);
    expect(await valid()).toBe(false);

    at.answers.secret = at.app.consumer_secret;
    const put = await at.asApp("PUT", `/2/webhooks/${webhook}`);

    expect([put.status, put.body]).toEqual([200, { data: { valid: true, attempted: true } }]);
    expect(await valid()).toBe(true);
  });

  test.each([
    { method: "PUT", id: "123", why: "not there" },
    { method: "DELETE", id: "123", why: "not there" },
    { method: "PUT", id: undefined, why: "another app's" },
    { method: "DELETE", id: undefined, why: "another app's" },
  ])("refuses $method of a webhook that is $why", async ({ method, id }) => {
    const other = at.speakFor(await at.sandbox.control.app(), at.bot);

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
    expect(await at.asBot(method, path())).toMatchObject({
      status: 403,
      body: { title: "Unsupported Authentication" },
    });
  });
});

it("a challenge carries a fresh token each time", async () => {
  await at.sandbox.control.advance(3_600_000);
  await at.asApp("PUT", `/2/webhooks/${webhook}`);

  const tokens = at.challenges.map((url) => new URL(url, "http://x").searchParams.get("crc_token"));
  // At registration, hourly, and on PUT.
  expect(tokens).toHaveLength(3);
  expect(new Set(tokens).size).toBe(3);
});

it("an OAuth 2.0 user token is refused on version 1.1", async () => {
  const { control, url } = at.sandbox;
  const state = await control.get<{ tables: Record<string, object[]> }>("/state");
  const [token, scope] = ["a-user-token", "users.read tweet.read"];
  const row = { token, scope, scopes: scope.split(" "), appId: at.app.app_id, userId: at.bot };
  state.tables["user_tokens"] = [{ ...row, expiresAt: Date.now() + 60_000 }];
  await control.call("PUT", "/state", state);
  const ask = async (path: string): Promise<number> =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status;

  expect(await ask("/2/users/me")).toBe(200);
  expect(await ask("/1.1/account/verify_credentials.json")).toBe(403);
});
