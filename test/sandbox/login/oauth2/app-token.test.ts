import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { basic, type LoginClient, startLoginClient } from "../login-client.ts";

let fixture: LoginClient;
beforeEach(async () => {
  fixture = await startLoginClient();
});
afterEach(() => fixture.sandbox.close());

const credentials = { grant_type: "client_credentials" };
const key = (): { authorization: string } =>
  basic(fixture.app.consumer_key, fixture.app.consumer_secret);

async function search(token: string): Promise<Response> {
  return fetch(`${fixture.sandbox.url}/2/users/by/username/ana`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

describe("Authentication: app-only bearer token", () => {
  it("is the same for a key and secret until it is invalidated", async () => {
    const first = await fixture.post("/oauth2/token", credentials, key());
    const second = await fixture.post("/oauth2/token", credentials, key());
    const ended = await fixture.post(
      "/oauth2/invalidate_token",
      { access_token: fixture.app.bearer_token },
      key(),
    );
    const refused = await search(fixture.app.bearer_token);
    const third = (await fixture.post("/oauth2/token", credentials, key())).json() as {
      access_token: string;
    };

    expect(first.json()).toEqual({ token_type: "bearer", access_token: fixture.app.bearer_token });
    expect(second.text).toBe(first.text);
    expect(ended.json()).toEqual({ access_token: fixture.app.bearer_token });
    expect(refused.status).toBe(401);
    expect(third.access_token).not.toBe(fixture.app.bearer_token);
    expect((await search(third.access_token)).status).toBe(200);
  });

  it("takes key and secret as parameters, as npm oauth sends them", async () => {
    const response = await fixture.post("/oauth2/token", {
      ...credentials,
      client_id: fixture.app.consumer_key,
      client_secret: fixture.app.consumer_secret,
    });

    expect(response.json()).toMatchObject({ access_token: fixture.app.bearer_token });
  });

  it("takes credentials that were percent-encoded first", async () => {
    const encoded = (text: string): string =>
      text.replace(/[A-Z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    const response = await fixture.post(
      "/oauth2/token",
      credentials,
      basic(encoded(fixture.app.consumer_key), encoded(fixture.app.consumer_secret)),
    );

    expect(response.status).toBe(200);
  });

  test.each([
    { headers: () => basic(fixture.app.consumer_key, "guess"), why: "a wrong secret" },
    { headers: () => basic("unknown", fixture.app.consumer_secret), why: "an unknown key" },
    { headers: () => basic("", ""), why: "empty ones" },
    { headers: () => ({}), why: "none" },
  ])("is refused with code 99 for $why", async ({ headers }) => {
    const response = await fixture.post("/oauth2/token", credentials, headers());

    expect(response.status).toBe(403);
    expect(response.json()).toEqual({
      errors: [
        {
          code: 99,
          label: "authenticity_token_error",
          message: "Unable to verify your credentials",
        },
      ],
    });
  });

  it("is refused without a grant type, and to a suspended app", async () => {
    const bare = await fixture.post("/oauth2/token", {}, key());
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, { suspended: true });
    const suspended = await fixture.post("/oauth2/token", credentials, key());

    expect([bare.status, suspended.status]).toEqual([403, 403]);
    expect(suspended.json()).toMatchObject({ errors: [{ code: 416 }] });
  });

  it("is invalidated by a signed request as well, but not by a forged one", async () => {
    const params = { access_token: fixture.app.bearer_token };
    const forged = await fixture.signed("POST", "/oauth2/invalidate_token", params, {
      key: "",
      secret: "guess",
    });
    const response = await fixture.signed("POST", "/oauth2/invalidate_token", params);

    expect([forged.status, response.status]).toEqual([401, 200]);
  });

  it("is not invalidated by another app", async () => {
    const other = await fixture.sandbox.control.app();
    const response = await fixture.post(
      "/oauth2/invalidate_token",
      { access_token: fixture.app.bearer_token },
      basic(other.consumer_key, other.consumer_secret),
    );

    expect(response.status).toBe(401);
    expect((await search(fixture.app.bearer_token)).status).toBe(200);
  });
});
