import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { basic, type FrontDoor, frontDoor } from "./front-door.ts";

let at: FrontDoor;
beforeEach(async () => {
  at = await frontDoor();
});
afterEach(() => at.sandbox.close());

const credentials = { grant_type: "client_credentials" };
const key = (): { authorization: string } => basic(at.app.consumer_key, at.app.consumer_secret);

async function search(token: string): Promise<Response> {
  return fetch(`${at.sandbox.url}/2/users/by/username/ana`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

describe("Authentication: app-only bearer token", () => {
  it("is the same for a key and secret until it is invalidated", async () => {
    const first = await at.post("/oauth2/token", credentials, key());
    const second = await at.post("/oauth2/token", credentials, key());
    const ended = await at.post(
      "/oauth2/invalidate_token",
      { access_token: at.app.bearer_token },
      key(),
    );
    const refused = await search(at.app.bearer_token);
    const third = (await at.post("/oauth2/token", credentials, key())).json() as {
      access_token: string;
    };

    expect(first.json()).toEqual({ token_type: "bearer", access_token: at.app.bearer_token });
    expect(second.text).toBe(first.text);
    expect(ended.json()).toEqual({ access_token: at.app.bearer_token });
    expect(refused.status).toBe(401);
    expect(third.access_token).not.toBe(at.app.bearer_token);
    expect((await search(third.access_token)).status).toBe(200);
  });

  it("takes key and secret as parameters, as npm oauth sends them", async () => {
    const told = await at.post("/oauth2/token", {
      ...credentials,
      client_id: at.app.consumer_key,
      client_secret: at.app.consumer_secret,
    });

    expect(told.json()).toMatchObject({ access_token: at.app.bearer_token });
  });

  it("takes credentials that were percent-encoded first", async () => {
    const encoded = (text: string): string =>
      text.replace(/[A-Z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    const told = await at.post(
      "/oauth2/token",
      credentials,
      basic(encoded(at.app.consumer_key), encoded(at.app.consumer_secret)),
    );

    expect(told.status).toBe(200);
  });

  test.each([
    { headers: () => basic(at.app.consumer_key, "guess"), why: "a wrong secret" },
    { headers: () => basic("unknown", at.app.consumer_secret), why: "an unknown key" },
    { headers: () => basic("", ""), why: "empty ones" },
    { headers: () => ({}), why: "none" },
  ])("is refused with code 99 for $why", async ({ headers }) => {
    const told = await at.post("/oauth2/token", credentials, headers());

    expect(told.status).toBe(403);
    expect(told.json()).toEqual({
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
    const bare = await at.post("/oauth2/token", {}, key());
    await at.sandbox.control.call("PATCH", `/apps/${at.app.app_id}`, { suspended: true });
    const suspended = await at.post("/oauth2/token", credentials, key());

    expect([bare.status, suspended.status]).toEqual([403, 403]);
    expect(suspended.json()).toMatchObject({ errors: [{ code: 416 }] });
  });

  it("is invalidated by a signed request as well, but not by a forged one", async () => {
    const params = { access_token: at.app.bearer_token };
    const forged = await at.signed("POST", "/oauth2/invalidate_token", params, {
      key: "",
      secret: "guess",
    });
    const told = await at.signed("POST", "/oauth2/invalidate_token", params);

    expect([forged.status, told.status]).toEqual([401, 200]);
  });

  it("is not invalidated by another app", async () => {
    const other = await at.sandbox.control.app();
    const told = await at.post(
      "/oauth2/invalidate_token",
      { access_token: at.app.bearer_token },
      basic(other.consumer_key, other.consumer_secret),
    );

    expect(told.status).toBe(401);
    expect((await search(at.app.bearer_token)).status).toBe(200);
  });
});
