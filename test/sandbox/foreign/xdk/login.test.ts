import {
  Client,
  generateCodeChallenge,
  generateCodeVerifier,
  OAuth1,
  OAuth2,
} from "@xdevplatform/xdk";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { View } from "../../../support/browser.ts";
import { CALLBACK, type LoginClient, startLoginClient } from "../../login/login-client.ts";
import { present } from "./xdk-sandbox.ts";

let fixture: LoginClient;
beforeEach(async () => {
  fixture = await startLoginClient();
  const { fetch } = globalThis;
  // The package's classes for log-in have no `baseUrl`: they call the live host, and sign its URL.
  vi.stubGlobal("fetch", (url: string | URL, init?: RequestInit) =>
    fetch(String(url).replace("https://api.x.com", fixture.sandbox.url), init),
  );
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await fixture.sandbox.close();
});

/** Opens a page of the live host, served by the sandbox. */
const open = (link: string): Promise<View> => {
  const { pathname, search } = new URL(link);
  return fixture.browser.open(fixture.sandbox.url + pathname + search);
};

it.each([
  ["authorize", false],
  ["authenticate", true],
])("npm @xdevplatform/xdk logs a user in by OAuth 1.0a, %s", async (_name, loginWithX) => {
  const keys = { apiKey: fixture.app.consumer_key, apiSecret: fixture.app.consumer_secret };
  const login = new OAuth1({ ...keys, callback: CALLBACK });
  const page = await open(await login.startOAuthFlow(loginWithX));
  const back = (await fixture.approve(page)).location?.searchParams;
  const token = await login.getAccessToken(back?.get("oauth_verifier") ?? "");
  // A new object, because the one that logged in goes on signing with the secret of the request token.
  const oauth1 = new OAuth1({ ...keys, ...token, callback: CALLBACK });
  const { data } = await new Client({ baseUrl: fixture.sandbox.url, oauth1 }).users.getMe();

  expect(back?.get("oauth_token")).toBe(login.requestToken?.oauthToken);
  expect(data).toMatchObject({ id: fixture.ana, username: "ana" });
});

it.each(["web", "native"] as const)(
  "npm @xdevplatform/xdk logs a user in by OAuth 2.0 and refreshes, as a %s app",
  async (oauth2_type) => {
    const app = await fixture.sandbox.control.app({ callback_urls: [CALLBACK], oauth2_type });
    const login = new OAuth2({
      clientId: app.client_id,
      redirectUri: CALLBACK,
      scope: ["tweet.read", "users.read", "offline.access"],
      ...(app.client_secret === undefined ? {} : { clientSecret: app.client_secret }),
    });
    const verifier = generateCodeVerifier();
    await login.setPkceParameters(verifier);
    const page = await open(await login.getAuthorizationUrl("s-1"));
    const back = (await fixture.approve(page)).location?.searchParams;
    const first = await login.exchangeCode(back?.get("code") ?? "", verifier);
    const second = await login.refreshToken();
    const clientOf = (accessToken: string): Client =>
      new Client({ baseUrl: fixture.sandbox.url, accessToken });
    const { data } = await clientOf(second.access_token).users.getMe();

    expect(login.getCodeChallenge()).toBe(await generateCodeChallenge(verifier));
    expect(back?.get("state")).toBe("s-1");
    expect(first).toMatchObject({
      token_type: "bearer",
      expires_in: 7200,
      scope: "tweet.read users.read offline.access",
    });
    expect(data).toMatchObject({ id: fixture.ana });
    await expect(clientOf(first.access_token).users.getMe()).rejects.toMatchObject({ status: 401 });
    await expect(login.refreshToken(present(first.refresh_token))).rejects.toThrow(
      /Value passed for the token was invalid/,
    );
  },
);
