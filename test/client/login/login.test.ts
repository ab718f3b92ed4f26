import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { appOnlyToken, invalidateAppOnlyToken } from "../../../src/client/login/app-only.ts";
import { createOAuth1Login, type OAuth1Login } from "../../../src/client/login/oauth1.ts";
import { createOAuth2Login, type OAuth2Login } from "../../../src/client/login/oauth2.ts";
import { decide } from "../support/browser.ts";
import { stubServer } from "../support/stub-server.ts";
import { failureOf, world, type World } from "../support/world.ts";

const CALLBACK = "https://bot.example/callback?from=platform";

let here: World;
beforeAll(async () => {
  here = await world("post", { callback_urls: [CALLBACK] });
});
afterAll(() => here.close());

describe("a log-in with OAuth 1.0a", () => {
  let login: OAuth1Login;
  beforeAll(() => {
    login = createOAuth1Login({
      baseUrl: here.sandbox.url,
      consumerKey: here.app.consumer_key,
      consumerSecret: here.app.consumer_secret,
    });
  });
  afterAll(() => login.close());

  it("ends in credentials that act for the user", async () => {
    const begun = await login.begin(CALLBACK);
    const { location } = await decide(begun.url, { username: "alice", decision: "allow" });
    const done = await login.complete(location, begun);
    expect(done).toMatchObject({ userId: here.personId, username: "alice" });
    const client = createClient({ baseUrl: here.sandbox.url, credentials: done.credentials });
    expect((await client.users.me()).data.username).toBe("alice");
    await client.account.invalidateToken();
    expect(await failureOf(client.users.me())).toMatchObject({ status: 401 });
    await client.close();
  });

  it("ends in a specific error when the user refuses", async () => {
    const begun = await login.begin(CALLBACK);
    const { location } = await decide(begun.url, { username: "alice", decision: "deny" });
    expect(location).toContain("denied=");
    expect(await failureOf(login.complete(location, begun))).toMatchObject({
      name: "LoginError",
      reason: "denied",
    });
  });

  it("does not complete another person's log-in", async () => {
    const begun = await login.begin(CALLBACK);
    const other = await login.begin(CALLBACK);
    const { location } = await decide(other.url, { username: "alice", decision: "allow" });
    expect(await failureOf(login.complete(location, begun))).toMatchObject({
      reason: "token-mismatch",
    });
  });

  it("works with a PIN, once", async () => {
    const begun = await login.beginPin();
    const { page } = await decide(begun.url, { username: "alice", decision: "allow" });
    const pin = /\b\d{7}\b/.exec(page)?.[0] ?? "";
    const done = await login.completePin(` ${pin} `, begun);
    expect(done.username).toBe("alice");
    expect(await failureOf(login.completePin(pin, begun))).toMatchObject({ reason: "refused" });
  });

  it("names the list in which a refused callback URL belongs", async () => {
    const error = await failureOf(login.begin("https://elsewhere.example/callback"));
    expect(error).toMatchObject({ status: 403, refusal: { v1Code: 415 } });
    expect(error).toHaveProperty("hint", expect.stringContaining("callback allowlist"));
  });

  it("stops if the platform does not confirm the callback", async () => {
    const server = await stubServer(() => ({
      body: "oauth_token=t&oauth_token_secret=s&oauth_callback_confirmed=false",
    }));
    const careful = createOAuth1Login({
      baseUrl: server.url,
      consumerKey: "key",
      consumerSecret: "secret",
    });
    expect(await failureOf(careful.begin(CALLBACK))).toMatchObject({
      reason: "callback-not-confirmed",
    });
    await careful.close();
    await server.close();
  });

  it("requires the callback's query", async () => {
    const held = { requestToken: "t", requestTokenSecret: "s" };
    const call = async () => login.complete("https://bot.example/callback", held);
    expect(await failureOf(call())).toMatchObject({ name: "UsageError" });
    const bare = async () => login.complete("/callback?oauth_token=t", held);
    expect(await failureOf(bare())).toMatchObject({ reason: "verifier-missing" });
  });
});

describe("a log-in with OAuth 2.0 and PKCE", () => {
  let login: OAuth2Login;
  beforeAll(() => {
    login = createOAuth2Login({
      baseUrl: here.sandbox.url,
      clientId: here.app.client_id,
      clientSecret: here.app.client_secret,
    });
  });
  afterAll(() => login.close());

  const scopes = ["tweet.read", "tweet.write", "users.read", "offline.access"] as const;

  it("ends in tokens that act, refresh themselves and are revoked", async () => {
    const begun = login.begin({ redirectUri: CALLBACK, scopes });
    const { location } = await decide(begun.url, { username: "alice", decision: "allow" });
    const tokens = await login.complete(location, begun);
    expect(tokens.scopes.toSorted()).toEqual([...scopes].toSorted());
    const client = createClient({
      baseUrl: here.sandbox.url,
      credentials: login.credentials(tokens),
    });
    expect((await client.users.me()).data.username).toBe("alice");
    const next = await login.refresh(tokens.refreshToken ?? "");
    expect(next.accessToken).not.toBe(tokens.accessToken);
    const fresh = client.as(login.credentials(next));
    expect((await fresh.users.me()).data.username).toBe("alice");
    await login.revoke(next.accessToken);
    const revoked = client.as(login.credentials({ ...next, refreshToken: undefined }));
    const hint = "log the user in again: the token was revoked or has expired";
    expect(await failureOf(revoked.users.me())).toMatchObject({ status: 401, hint });
    await client.close();
  });

  it("is needed again once the platform refuses the refresh token", async () => {
    const begun = login.begin({ redirectUri: CALLBACK, scopes });
    const { location } = await decide(begun.url, { username: "alice", decision: "allow" });
    const tokens = await login.complete(location, begun);
    await login.refresh(tokens.refreshToken ?? "");
    const credentials = { ...login.credentials(tokens), expiresAt: 0 };
    const client = createClient({ baseUrl: here.sandbox.url, credentials });

    expect(await failureOf(client.users.me())).toMatchObject({
      name: "PlatformError",
      message:
        "GET /2/users/me was not carried out, because the access token could not be refreshed (POST /2/oauth2/token was refused with 400: Value passed for the token was invalid.)",
      hint: "log the user in again: the token was revoked or has expired",
      executed: "no",
      refusal: { endpoint: "POST /2/oauth2/token", status: 400 },
    });
    await client.close();
  });

  it("ends in a specific error when the user refuses", async () => {
    const begun = login.begin({ redirectUri: CALLBACK, scopes });
    const { location } = await decide(begun.url, { username: "alice", decision: "deny" });
    expect(await failureOf(login.complete(location, begun))).toMatchObject({ reason: "denied" });
  });

  it("does not complete another person's log-in, nor one with another verifier", async () => {
    const begun = login.begin({ redirectUri: CALLBACK, scopes });
    const { location } = await decide(begun.url, { username: "alice", decision: "allow" });
    const elsewhere = { ...begun, state: "another" };
    expect(await failureOf(login.complete(location, elsewhere))).toMatchObject({
      reason: "state-mismatch",
    });
    const stolen = {
      ...begun,
      codeVerifier: login.begin({ redirectUri: CALLBACK, scopes }).codeVerifier,
    };
    expect(await failureOf(login.complete(location, stolen))).toMatchObject({ status: 400 });
  });

  it("sends a challenge that is the verifier's hash, never the verifier", () => {
    const begun = login.begin({ redirectUri: CALLBACK, scopes });
    const query = new URL(begun.url).searchParams;
    expect(query.get("code_challenge_method")).toBe("S256");
    expect(query.get("scope")).toBe(scopes.join(" "));
    expect(begun.url).not.toContain(begun.codeVerifier);
  });
});

describe("the app's own token", () => {
  it("is issued for the app's keys, and has no effect after it was invalidated", async () => {
    const app = {
      baseUrl: here.sandbox.url,
      consumerKey: here.app.consumer_key,
      consumerSecret: here.app.consumer_secret,
    };
    const credentials = await appOnlyToken(app);
    const client = createClient({ baseUrl: here.sandbox.url, credentials });
    expect((await client.users.byUsername("alice")).data.id).toBe(here.personId);
    await invalidateAppOnlyToken(credentials.bearerToken, app);
    expect(await failureOf(client.users.byUsername("alice"))).toMatchObject({ status: 401 });
    await client.close();
    const wrong = { ...app, consumerSecret: "not-the-secret" };
    const error = await failureOf(appOnlyToken(wrong));
    expect(error).toMatchObject({ status: 403, refusal: { v1Code: 99 } });
    expect(String(error)).not.toContain("not-the-secret");
  });
});
