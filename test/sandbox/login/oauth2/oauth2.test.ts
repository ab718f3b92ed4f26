import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  basic,
  CALLBACK,
  CHALLENGE,
  type LoginClient,
  startLoginClient,
  VERIFIER,
} from "../login-client.ts";

let fixture: LoginClient;
beforeEach(async () => {
  fixture = await startLoginClient();
});
afterEach(() => fixture.sandbox.close());

const secret = (): { authorization: string } =>
  basic(fixture.app.client_id, fixture.app.client_secret ?? "");

/** Gets a code that Ana approved. */
async function code(changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const view = await fixture.authorize(changes);
  const back =
    view.dom.querySelector("#username") === null
      ? await fixture.browser.press(view, "Authorize")
      : await fixture.approve(view);
  return back.location?.searchParams.get("code") ?? "";
}

const exchange = (authorizationCode: string): Record<string, string> => ({
  grant_type: "authorization_code",
  code: authorizationCode,
  redirect_uri: CALLBACK,
  code_verifier: VERIFIER,
});

interface Tokens {
  readonly token_type: string;
  readonly expires_in: number;
  readonly access_token: string;
  readonly scope: string;
  readonly refresh_token: string;
}

async function tokens(changes: Readonly<Record<string, string>> = {}): Promise<Tokens> {
  const response = await fixture.post("/2/oauth2/token", exchange(await code(changes)), secret());
  return response.json() as Tokens;
}

async function me(token: string): Promise<Response> {
  return fetch(`${fixture.sandbox.url}/2/users/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

const fault = (error: string, text: RegExp): unknown => ({
  error,
  error_description: expect.stringMatching(text),
});

describe("OAuth 2.0 authorization: the page", () => {
  it("shows the scopes in plain words and leads back with a code and the state", async () => {
    const view = await fixture.authorize();
    const back = await fixture.approve(view);

    expect(view.dom.querySelectorAll(".may li").map((item) => item.text)).toEqual([
      "see all posts that you can see, protected ones included",
      "see your profile and any account that you can see",
      "stay connected until you remove it, also while you are away",
    ]);
    expect(back.status).toBe(302);
    expect(back.location?.href).toMatch(
      new RegExp(`^${CALLBACK}\\?state=s-1&code=[A-Za-z0-9]{91}$`),
    );
  });

  it("is served at /i/oauth2/authorize as well", async () => {
    const there = (await fixture.authorize()).url.replace("/2/oauth2/", "/i/oauth2/");
    const view = await fixture.browser.open(there);

    expect((await fixture.approve(view)).location?.searchParams.has("code")).toBe(true);
  });

  it("asks a signed-in person too, for approval only", async () => {
    await code();
    const view = await fixture.authorize();

    expect(view.dom.querySelectorAll("label")).toEqual([]);
    expect((await fixture.browser.press(view, "Authorize")).status).toBe(302);
  });

  it("keeps the screen for a wrong password", async () => {
    const fields = { Username: "ana", Password: "guess" };
    const again = await fixture.browser.press(await fixture.authorize(), "authorize", fields);

    expect(again.status).toBe(401);
    expect((await fixture.approve(again)).location?.searchParams.get("state")).toBe("s-1");
  });

  it("leads back with access_denied and the state for a refusal", async () => {
    const back = await fixture.browser.press(await fixture.authorize(), "Cancel");

    expect(Object.fromEntries(back.location?.searchParams ?? [])).toMatchObject({
      error: "access_denied",
      state: "s-1",
    });
  });

  it("omits the state if the request had none", async () => {
    const back = await fixture.approve(await fixture.authorize({ state: undefined }));

    expect([...(back.location?.searchParams.keys() ?? [])]).toEqual(["code"]);
  });
});

describe("OAuth 2.0 authorization: a faulty request", () => {
  it.each([
    { uri: `${CALLBACK}/`, why: "not the allowlisted one" },
    { uri: "https://evil.example/", why: "elsewhere" },
    { uri: undefined, why: "missing" },
  ])("a redirect URI that is $why is reported as JSON, not sent there", async ({ uri }) => {
    const response = await fixture.authorize({ redirect_uri: uri });

    expect(response.status).toBe(400);
    expect(response.location).toBeUndefined();
    expect(JSON.parse(response.text)).toEqual(
      fault("invalid_request", /redirect uri did not match/),
    );
  });

  it.each([
    { client: "unknown", why: "an unknown client" },
    { client: undefined, why: "no client" },
  ])("$why is reported as JSON", async ({ client }) => {
    const response = await fixture.authorize({ client_id: client });

    expect(response.status).toBe(400);
    expect(JSON.parse(response.text)).toEqual(fault("invalid_request", /client_id/));
  });

  it.each([
    { changes: { oauth2: false }, why: "an app with OAuth 2.0 turned off" },
    { changes: { suspended: true }, why: "a suspended app" },
  ])("$why is reported as JSON", async ({ changes }) => {
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, changes);
    const response = await fixture.authorize();

    expect(response.status).toBe(403);
    expect(JSON.parse(response.text)).toHaveProperty("error", "unauthorized_client");
  });

  test.each([
    { changes: { response_type: "token" }, error: "unsupported_response_type" },
    { changes: { response_type: undefined }, error: "unsupported_response_type" },
    { changes: { scope: "tweet.read everything" }, error: "invalid_scope" },
    { changes: { scope: undefined }, error: "invalid_scope" },
    { changes: { code_challenge: undefined }, error: "invalid_request" },
    { changes: { code_challenge: "x".repeat(129) }, error: "invalid_request" },
    { changes: { code_challenge_method: "md5" }, error: "invalid_request" },
  ])("$changes leads back with $error and the state", async ({ changes, error }) => {
    const { location } = await fixture.authorize(changes);

    expect(location?.href.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({ error, state: "s-1" });
  });

  it("a state of 500 characters passes, of 501 does not", async () => {
    const good = await fixture.authorize({ state: "s".repeat(500) });
    const bad = await fixture.authorize({ state: "s".repeat(501) });

    expect(good.status).toBe(200);
    expect(bad.location?.searchParams.get("error")).toBe("invalid_request");
  });
});

describe("OAuth 2.0 token exchange", () => {
  it("returns a token that acts for the user", async () => {
    const grant = await tokens();
    const response = await me(grant.access_token);

    expect(grant).toEqual({
      token_type: "bearer",
      expires_in: 7200,
      access_token: expect.any(String),
      scope: "tweet.read users.read offline.access",
      refresh_token: expect.any(String),
    });
    expect(await response.json()).toMatchObject({ data: { id: fixture.ana } });
    expect(response.headers.get("x-access-level")).toBe("read");
  });

  it("echoes the scopes as they were requested, once each", async () => {
    const { scope } = await tokens({ scope: "users.read dm.write  tweet.read users.read" });

    expect(scope).toBe("users.read dm.write tweet.read");
  });

  it("accepts scopes in the words of the post dialect, and repeats them", async () => {
    const grant = await tokens({ scope: "post.read users.read post.write" });

    expect(grant.scope).toBe("post.read users.read post.write");
    expect((await me(grant.access_token)).status).toBe(200);
  });

  it("returns no refresh token without offline.access", async () => {
    expect(await tokens({ scope: "users.read" })).not.toHaveProperty("refresh_token");
  });

  it("takes parameters as JSON, and all in the query", async () => {
    const url = `${fixture.sandbox.url}/2/oauth2/token`;
    const json = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        ...exchange(await code()),
        client_id: fixture.app.client_id,
        client_secret: fixture.app.client_secret,
      }),
    });
    const params = new URLSearchParams(exchange(await code())).toString();
    const query = await fetch(`${url}?${params}`, { method: "POST", headers: secret() });

    expect([json.status, query.status]).toEqual([200, 200]);
  });

  test.each([
    { method: "S256", challenge: CHALLENGE, verifier: VERIFIER },
    { method: "s256", challenge: CHALLENGE, verifier: VERIFIER },
    { method: "plain", challenge: "short", verifier: "short" },
    { method: "", challenge: "", verifier: VERIFIER },
  ])("checks the verifier by method '$method'", async ({ method, challenge, verifier }) => {
    const changes = {
      code_challenge: challenge === "" ? verifier : challenge,
      ...(method === "" ? {} : { code_challenge_method: method }),
    };
    const view = await fixture.authorize({ code_challenge_method: undefined, ...changes });
    const authorizationCode =
      (await fixture.approve(view)).location?.searchParams.get("code") ?? "";
    const wrong = { ...exchange(authorizationCode), code_verifier: `${verifier}x` };
    const bad = await fixture.post("/2/oauth2/token", wrong, secret());
    const right = { ...exchange(authorizationCode), code_verifier: verifier };
    const good = await fixture.post("/2/oauth2/token", right, secret());

    expect([bad.status, good.status]).toEqual([400, 200]);
  });

  test.each([
    { changes: { code: "unknown" }, text: /authorization code was invalid/ },
    { changes: { redirect_uri: "https://app.example/" }, text: /redirect uri did not match/ },
    { changes: { code_verifier: "" }, text: /Missing required parameter \[code_verifier\]/ },
    { changes: { code: "" }, text: /Missing required parameter \[code\]/ },
    { changes: { grant_type: "" }, text: /Missing required parameter \[grant_type\]/ },
  ])("refuses $changes", async ({ changes, text }) => {
    const response = await fixture.post(
      "/2/oauth2/token",
      { ...exchange(await code()), ...changes },
      secret(),
    );

    expect(response.status).toBe(400);
    expect(response.json()).toEqual(fault("invalid_request", text));
  });

  it("refuses other grants", async () => {
    const response = await fixture.post("/2/oauth2/token", { grant_type: "password" }, secret());

    expect(response.json()).toEqual(fault("unsupported_grant_type", /password/));
  });

  it("takes a code once, and within 30 seconds", async () => {
    const used = await code();
    await fixture.post("/2/oauth2/token", exchange(used), secret());
    const twice = await fixture.post("/2/oauth2/token", exchange(used), secret());
    const late = await code();
    await fixture.sandbox.control.advance(30_000);
    const after = await fixture.post("/2/oauth2/token", exchange(late), secret());

    expect([twice.status, after.status]).toEqual([400, 400]);
  });

  it("accepts a code only from the app that received it", async () => {
    const other = await fixture.sandbox.control.app({ callback_urls: [CALLBACK] });
    const response = await fixture.post(
      "/2/oauth2/token",
      exchange(await code()),
      basic(other.client_id, other.client_secret ?? ""),
    );

    expect(response.json()).toEqual(fault("invalid_request", /authorization code/));
  });

  it("expires after two hours of the sandbox's clock", async () => {
    const { access_token: token } = await tokens();
    const before = await me(token);
    await fixture.sandbox.control.advance(7_200_000);

    expect([before.status, (await me(token)).status]).toEqual([200, 401]);
  });

  it("holds the token to its scopes", async () => {
    const { access_token: token } = await tokens({ scope: "tweet.read" });

    expect((await me(token)).status).toBe(403);
  });
});

describe("OAuth 2.0 app types", () => {
  it.each(["web", "bot"])("%s is confidential: it proves itself by its secret", async (type) => {
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, {
      oauth2_type: type,
    });
    const grantedCode = await code();
    const none = { ...exchange(grantedCode), client_id: fixture.app.client_id };
    const missing = await fixture.post("/2/oauth2/token", none);
    const wrong = await fixture.post(
      "/2/oauth2/token",
      none,
      basic(fixture.app.client_id, "guess"),
    );
    const right = await fixture.post("/2/oauth2/token", none, secret());

    expect([missing.status, wrong.status, right.status]).toEqual([401, 401, 200]);
    expect(missing.json()).toEqual({
      error: "unauthorized_client",
      error_description: "Missing valid authorization header",
    });
  });

  it.each(["native", "spa"] as const)(
    "%s is public: it has no secret and names itself",
    async (type) => {
      const app = await fixture.sandbox.control.app({
        callback_urls: [CALLBACK],
        oauth2_type: type,
      });
      const grantedCode = await code({ client_id: app.client_id });
      const unnamed = await fixture.post("/2/oauth2/token", exchange(grantedCode));
      const named = await fixture.post("/2/oauth2/token", {
        ...exchange(grantedCode),
        client_id: app.client_id,
      });

      expect(app).not.toHaveProperty("client_secret");
      expect([unnamed.status, named.status]).toEqual([401, 200]);
    },
  );

  it("a revoked secret proves nothing, not even an empty one", async () => {
    const grantedCode = await code();
    await fixture.sandbox.control.post(`/apps/${fixture.app.app_id}/credentials`, {
      kind: "client_secret",
      do: "revoke",
    });
    const response = await fixture.post(
      "/2/oauth2/token",
      exchange(grantedCode),
      basic(fixture.app.client_id, ""),
    );

    expect(response.status).toBe(401);
  });
});

describe("OAuth 2.0 refresh and revoke", () => {
  it("a refresh brings a new pair and ends the old one", async () => {
    const old = await tokens();
    const params = { grant_type: "refresh_token", refresh_token: old.refresh_token };
    const response = await fixture.post("/2/oauth2/token", params, secret());
    const again = await fixture.post("/2/oauth2/token", params, secret());
    const fresh = response.json() as Tokens;

    expect(fresh.scope).toBe(old.scope);
    expect(fresh.access_token).not.toBe(old.access_token);
    expect(fresh.refresh_token).not.toBe(old.refresh_token);
    expect((await me(fresh.access_token)).status).toBe(200);
    expect((await me(old.access_token)).status).toBe(401);
    expect(again.json()).toEqual(fault("invalid_request", /token was invalid/));
  });

  it("a refresh works after the access token has expired", async () => {
    const old = await tokens();
    await fixture.sandbox.control.advance(7_200_000);
    const params = { grant_type: "refresh_token", refresh_token: old.refresh_token };

    expect((await fixture.post("/2/oauth2/token", params, secret())).status).toBe(200);
  });

  it("a refresh gives fewer scopes on request, and all of them again later", async () => {
    const refresh = async (token: string, scope?: string): Promise<Tokens> => {
      const params = { grant_type: "refresh_token", refresh_token: token, ...(scope && { scope }) };
      return (await fixture.post("/2/oauth2/token", params, secret())).json() as Tokens;
    };
    const old = await tokens({ scope: "users.read tweet.read offline.access" });
    const narrow = await refresh(old.refresh_token, "users.read");
    const wide = await refresh(narrow.refresh_token);

    expect(narrow.scope).toBe("users.read");
    expect((await me(narrow.access_token)).status).toBe(401);
    expect(wide.scope.split(" ").sort()).toEqual(["offline.access", "tweet.read", "users.read"]);
    expect((await me(wide.access_token)).status).toBe(200);
  });

  test.each(["dm.read", "nothing", "users.read dm.read"])(
    "a refresh is refused for %s, which the user did not grant, and ends no token",
    async (scope) => {
      const old = await tokens({ scope: "users.read tweet.read offline.access" });
      const params = { grant_type: "refresh_token", refresh_token: old.refresh_token, scope };
      const response = await fixture.post("/2/oauth2/token", params, secret());

      expect(response.json()).toEqual(fault("invalid_scope", /not granted/));
      expect((await me(old.access_token)).status).toBe(200);
    },
  );

  test.each(["access_token", "refresh_token"] as const)("revoke takes the %s", async (name) => {
    const grant = await tokens();
    const query = new URLSearchParams({ token: grant[name], token_type_hint: name });
    const url = `${fixture.sandbox.url}/2/oauth2/revoke?${query.toString()}`;
    const response = await fetch(url, { method: "POST", headers: secret() });

    expect(await response.json()).toEqual({ revoked: true });
    expect((await me(grant.access_token)).status).toBe(401);
  });

  it("revoke leaves another app's token alone", async () => {
    const grant = await tokens();
    const other = await fixture.sandbox.control.app();
    const response = await fixture.post(
      "/2/oauth2/revoke",
      { token: grant.access_token },
      basic(other.client_id, other.client_secret ?? ""),
    );

    expect(response.status).toBe(400);
    expect((await me(grant.access_token)).status).toBe(200);
  });

  it("tokens of a user who removed the app are 401", async () => {
    const grant = await tokens();
    await fixture.sandbox.control.call(
      "DELETE",
      `/users/${fixture.ana}/apps/${fixture.app.app_id}`,
    );

    expect((await me(grant.access_token)).status).toBe(401);
  });

  it("tokens are 401 while the app has OAuth 2.0 turned off", async () => {
    const grant = await tokens();
    await fixture.sandbox.control.call("PATCH", `/apps/${fixture.app.app_id}`, { oauth2: false });

    expect((await me(grant.access_token)).status).toBe(401);
  });
});
