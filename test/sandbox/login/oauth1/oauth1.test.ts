import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { CALLBACK, type LoginClient, startLoginClient } from "../login-client.ts";
import { signed } from "../../support/test-sandbox.ts";

let fixture: LoginClient;
beforeEach(async () => {
  fixture = await startLoginClient();
});
afterEach(() => fixture.sandbox.close());

describe("Log-in flow (OAuth 1.0a): request token", () => {
  it("comes with its secret and a confirmed callback", async () => {
    const response = await fixture.signed("POST", "/oauth/request_token", {
      oauth_callback: CALLBACK,
    });

    expect(response.status).toBe(200);
    expect([...response.form.keys()]).toEqual([
      "oauth_token",
      "oauth_token_secret",
      "oauth_callback_confirmed",
    ]);
    expect(response.form.get("oauth_callback_confirmed")).toBe("true");
    expect(response.headers.get("x-access-level")).toBe("read-write-directmessages");
  });

  it("takes the callback in the query as well", async () => {
    const path = `/oauth/request_token?oauth_callback=${encodeURIComponent(CALLBACK)}`;

    expect((await fixture.signed("POST", path)).status).toBe(200);
  });

  it("takes oob without an allowlist entry", async () => {
    const response = await fixture.signed("POST", "/oauth/request_token", {
      oauth_callback: "oob",
    });

    expect(response.status).toBe(200);
  });

  test.each([
    { callback: `${CALLBACK}/`, why: "one slash more" },
    { callback: `${CALLBACK}?a=1`, why: "a query more" },
    { callback: "https://app.example/CALLBACK", why: "other case" },
    { callback: "http://app.example/callback", why: "another protocol" },
    { callback: encodeURIComponent(CALLBACK), why: "encoded once too often" },
  ])("is refused for $callback: $why", async ({ callback }) => {
    const response = await fixture.signed("POST", "/oauth/request_token", {
      oauth_callback: callback,
    });

    expect(response.status).toBe(403);
    expect(response.json()).toMatchObject({
      errors: [
        {
          code: 415,
          message: expect.stringContaining("Callback URL not approved for this client application"),
        },
      ],
    });
  });

  it("is refused as an XML hash to a client that asks for XML", async () => {
    const response = await fixture.signed(
      "POST",
      "/oauth/request_token",
      { oauth_callback: "https://other.example/" },
      undefined,
      { accept: "application/xml" },
    );

    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toContain("application/xml");
    expect(response.text).toMatch(
      /<hash>\s*<error>Callback URL not approved.*<\/error>\s*<request>\/oauth\/request_token<\/request>\s*<\/hash>/,
    );
  });

  it("is refused without a callback, with a wrong secret, and to an unknown app", async () => {
    const without = await fixture.signed("POST", "/oauth/request_token");
    const forged = await fixture.signed(
      "POST",
      "/oauth/request_token",
      { oauth_callback: CALLBACK },
      { key: "", secret: "guess" },
    );
    await fixture.sandbox.control.post(`/apps/${fixture.app.app_id}/credentials`, {
      kind: "api_key",
      do: "revoke",
    });
    const revoked = await fixture.signed("POST", "/oauth/request_token", {
      oauth_callback: CALLBACK,
    });

    expect([without.status, forged.status, revoked.status]).toEqual([403, 401, 401]);
    expect(without.text).toContain("one of the callback URLs in the app's settings, or oob");
    expect(forged.json()).toEqual({
      errors: [{ code: 32, message: "Could not authenticate you." }],
    });
  });

  it("is refused to a suspended app, and to one with OAuth 1.0a turned off", async () => {
    const ask = async (changes: Record<string, boolean>): Promise<[number, unknown]> => {
      await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, changes);
      const response = await fixture.signed("POST", "/oauth/request_token", {
        oauth_callback: CALLBACK,
      });
      return [response.status, response.json()];
    };

    expect(await ask({ suspended: true })).toMatchObject([403, { errors: [{ code: 416 }] }]);
    expect(await ask({ suspended: false, oauth1: false })).toMatchObject([
      401,
      { errors: [{ code: 32 }] },
    ]);
  });

  it("is also given to older clients that send GET, and so is the access token", async () => {
    const query = new URLSearchParams({ oauth_callback: CALLBACK });
    const begun = await fixture.signed("GET", `/oauth/request_token?${query.toString()}`);
    const token = {
      key: begun.form.get("oauth_token") ?? "",
      secret: begun.form.get("oauth_token_secret") ?? "",
    };
    const back = (await fixture.approve(await fixture.page(token.key))).location;
    const verifier = back?.searchParams.get("oauth_verifier") ?? "";
    const path = "/oauth/access_token?oauth_verifier=";
    const ended = await fixture.signed("GET", path + verifier, {}, token);

    expect([begun.status, begun.form.get("oauth_callback_confirmed")]).toEqual([200, "true"]);
    expect([ended.status, ended.form.get("screen_name")]).toEqual([200, "ana"]);
  });

  it("has its own code in 1.1 for an unknown token and for an unknown key", async () => {
    const { sandbox } = fixture;
    const app = { ...fixture.app, consumer_key: "nobody" };
    const url = `${sandbox.url}/1.1/account/verify_credentials.json`;
    const ask = async (tokens: { access_token: string; access_token_secret: string }) => {
      const response = await fetch(url, {
        headers: { authorization: signed(app, tokens, "GET", url) },
      });
      return [response.status, await response.json()];
    };

    expect(await ask({ access_token: "x", access_token_secret: "y" })).toMatchObject([
      401,
      { errors: [{ code: 89 }] },
    ]);
  });

  it("cannot be requested twice with one signature", async () => {
    const params = { oauth_callback: CALLBACK };
    const headers = fixture.authorization("POST", "/oauth/request_token", params);
    const first = await fixture.post("/oauth/request_token", params, headers);
    const second = await fixture.post("/oauth/request_token", params, headers);

    expect([first.status, second.status]).toEqual([200, 401]);
  });
});

describe("Log-in flow (OAuth 1.0a): access token", () => {
  it("names the user and looks like <user id>-<letters>", async () => {
    const token = await fixture.requestToken();
    const back = (await fixture.approve(await fixture.page(token.key))).location;
    const response = await fixture.exchange(token, back?.searchParams.get("oauth_verifier") ?? "");

    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.form)).toEqual({
      oauth_token: expect.stringMatching(new RegExp(`^${fixture.ana}-[A-Za-z0-9]+$`)),
      oauth_token_secret: expect.stringMatching(/^[A-Za-z0-9]{45}$/),
      user_id: fixture.ana,
      screen_name: "ana",
    });
  });

  it("accepts the verifier in the query, and a request token that is sent twice but signed once", async () => {
    const token = await fixture.requestToken();
    const back = (await fixture.approve(await fixture.page(token.key))).location;
    const verifier = back?.searchParams.get("oauth_verifier") ?? "";
    const path = `/oauth/access_token?oauth_verifier=${verifier}`;
    const headers = fixture.authorization("POST", path, {}, token);

    expect((await fixture.post(path, { oauth_token: token.key }, headers)).status).toBe(200);
  });

  it("survives a saved and restored world between the steps", async () => {
    const token = await fixture.requestToken();
    const back = (await fixture.approve(await fixture.page(token.key))).location;
    const state = await fixture.sandbox.control.get("/state");
    await fixture.sandbox.reset();
    await fixture.sandbox.control.call("PUT", "/state", state);
    const response = await fixture.exchange(token, back?.searchParams.get("oauth_verifier") ?? "");
    const second = await fixture.requestToken();

    expect(response.status).toBe(200);
    expect((await fixture.page(second.key)).status).toBe(302);
  });

  it("signs later requests, which carry the level in use", async () => {
    const me = await fixture.signed("GET", "/2/users/me", {}, await loggedIn());

    expect(me.json()).toMatchObject({ data: { id: fixture.ana, username: "ana" } });
    expect(me.headers.get("x-access-level")).toBe("read-write-directmessages");
  });

  it("is refused in plain text for a wrong verifier, and given for the right one afterwards", async () => {
    const token = await fixture.requestToken();
    const back = (await fixture.approve(await fixture.page(token.key))).location;
    const wrong = await fixture.exchange(token, "guess");
    const right = await fixture.exchange(token, back?.searchParams.get("oauth_verifier") ?? "");

    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("content-type")).toContain("text/plain");
    expect(wrong.text).toBe(
      "Error processing your OAuth request: Invalid oauth_verifier parameter",
    );
    expect(right.status).toBe(200);
  });

  it("is given once for a verifier", async () => {
    const token = await fixture.requestToken();
    const back = (await fixture.approve(await fixture.page(token.key))).location;
    const verifier = back?.searchParams.get("oauth_verifier") ?? "";
    await fixture.exchange(token, verifier);

    expect((await fixture.exchange(token, verifier)).status).toBe(401);
  });

  it("is refused before the user approved, to another app, and without a request token", async () => {
    const token = await fixture.requestToken();
    const early = await fixture.exchange(token, "");
    const none = await fixture.signed("POST", "/oauth/access_token", { oauth_verifier: "x" });

    expect([early.status, none.status]).toEqual([401, 401]);
    expect(none.text).toBe("Request token missing");
  });

  it("is refused once the request token has expired by the sandbox's clock", async () => {
    const token = await fixture.requestToken();
    const back = (await fixture.approve(await fixture.page(token.key))).location;
    await fixture.sandbox.control.advance(15 * 60_000);
    const response = await fixture.exchange(token, back?.searchParams.get("oauth_verifier") ?? "");

    expect(response.status).toBe(401);
    expect((await fixture.page((await fixture.requestToken()).key)).status).toBe(200);
  });

  it("may be for less than the app's level", async () => {
    const { form } = await fixture.signed("POST", "/oauth/request_token", {
      oauth_callback: CALLBACK,
      x_auth_access_type: "read",
    });
    const token = {
      key: form.get("oauth_token") ?? "",
      secret: form.get("oauth_token_secret") ?? "",
    };
    const view = await fixture.page(token.key);
    const back = (await fixture.approve(view)).location;
    const issued = await fixture.exchange(token, back?.searchParams.get("oauth_verifier") ?? "");
    const me = await fixture.signed("GET", "/2/users/me", {}, keyed(issued.form));

    expect(view.dom.querySelector(".may")?.text).not.toContain("direct messages");
    expect(me.headers.get("x-access-level")).toBe("read");
  });

  test.each(["/1.1/oauth/invalidate_token", "/1.1/oauth/invalidate_token.json"])(
    "ends by POST %s",
    async (path) => {
      const token = await loggedIn();
      const response = await fixture.signed("POST", path, {}, token);
      const after = await fixture.signed("GET", "/1.1/account/verify_credentials.json", {}, token);

      expect(response.json()).toEqual({ access_token: token.key });
      expect(after.status).toBe(401);
      expect(after.json()).toEqual({
        errors: [{ code: 89, message: "Invalid or expired token." }],
      });
    },
  );
});

describe("verify-credentials", () => {
  const path = "/1.1/account/verify_credentials.json";

  it("returns who the token acts for, with all digits of the id", async () => {
    const response = await fixture.signed("GET", path, {}, await loggedIn());

    expect(response.text).toContain(`"id":${fixture.ana},`);
    expect(response.json()).toMatchObject({
      id_str: fixture.ana,
      screen_name: "ana",
      name: "Ana",
      entities: { description: { urls: [] } },
    });
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.headers.get("x-access-level")).toBe("read-write-directmessages");
  });

  it("leaves entities and the latest post out when requested", async () => {
    const token = await loggedIn();
    await fixture.sandbox.control.act(fixture.ana, { type: "post", text: "Hello!" });
    const full = await fixture.signed("GET", path, {}, token);
    const bare = await fixture.signed(
      "GET",
      `${path}?include_entities=false&skip_status=true`,
      {},
      token,
    );

    expect(full.json()).toMatchObject({ status: { text: "Hello!" } });
    expect(full.json()).not.toHaveProperty("status.user");
    expect(bare.json()).not.toHaveProperty("status");
    expect(bare.json()).not.toHaveProperty("entities");
  });

  it("has an email only when requested and when the app may see it", async () => {
    const token = await loggedIn();
    const asking = `${path}?include_email=true`;
    const forbidden = await fixture.signed("GET", asking, {}, token);
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, {
      email: true,
      terms_url: "https://app.example/terms",
      privacy_url: "https://app.example/privacy",
    });
    const none = await fixture.signed("GET", asking, {}, token);
    await fixture.sandbox.control.call("PATCH", `/users/${fixture.ana}`, {
      email: "ana@example.org",
    });
    const some = await fixture.signed("GET", asking, {}, token);
    const unasked = await fixture.signed("GET", path, {}, token);

    expect(forbidden.json()).not.toHaveProperty("email");
    expect(none.json()).toHaveProperty("email", null);
    expect(some.json()).toHaveProperty("email", "ana@example.org");
    expect(unasked.json()).not.toHaveProperty("email");
  });
});

const keyed = (form: URLSearchParams): { key: string; secret: string } => ({
  key: form.get("oauth_token") ?? "",
  secret: form.get("oauth_token_secret") ?? "",
});

/** Gets Ana's access token by the three steps. */
async function loggedIn(): Promise<{ key: string; secret: string }> {
  const token = await fixture.requestToken();
  const back = (await fixture.approve(await fixture.page(token.key))).location;
  const response = await fixture.exchange(token, back?.searchParams.get("oauth_verifier") ?? "");
  return keyed(response.form);
}
