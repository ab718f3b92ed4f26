import { TwitterApi } from "twitter-api-v2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LeadingAgent } from "../../support/leading-agent.ts";
import type { View } from "../../support/browser.ts";
import { CALLBACK, type LoginClient, startLoginClient } from "./login-client.ts";

let fixture: LoginClient;
let settings: { httpAgent: LeadingAgent };
beforeEach(async () => {
  fixture = await startLoginClient({ dialect: "tweet" });
  settings = { httpAgent: new LeadingAgent(fixture.sandbox.url) };
});
afterEach(async () => {
  settings.httpAgent.destroy();
  await fixture.sandbox.close();
});

/** Opens a page of the live host, served by the sandbox. */
const open = (link: string): Promise<View> => {
  const { pathname, search } = new URL(link);
  return fixture.browser.open(fixture.sandbox.url + pathname + search);
};

const consumer = (): { appKey: string; appSecret: string } => ({
  appKey: fixture.app.consumer_key,
  appSecret: fixture.app.consumer_secret,
});

describe("npm twitter-api-v2, unmodified: log-in flow (OAuth 1.0a)", () => {
  it.each(["authenticate", "authorize"] as const)("logs a user in by %s", async (linkMode) => {
    const link = await new TwitterApi(consumer(), settings).generateAuthLink(CALLBACK, {
      linkMode,
      screenName: "ana",
    });
    const back = (await fixture.approve(await open(link.url))).location?.searchParams;
    const { client, userId, screenName } = await new TwitterApi(
      {
        ...consumer(),
        accessToken: back?.get("oauth_token") ?? "",
        accessSecret: link.oauth_token_secret,
      },
      settings,
    ).login(back?.get("oauth_verifier") ?? "");

    expect(link.oauth_callback_confirmed).toBe("true");
    expect({ userId, screenName }).toEqual({ userId: fixture.ana, screenName: "ana" });
    expect(await client.v1.verifyCredentials({ include_email: true })).toMatchObject({
      id_str: fixture.ana,
      screen_name: "ana",
    });
    expect(await client.v2.me()).toMatchObject({ data: { id: fixture.ana } });
  });

  it("logs a user in by PIN", async () => {
    const link = await new TwitterApi(consumer(), settings).generateAuthLink("oob", {
      linkMode: "authorize",
    });
    const page = await fixture.approve(await open(link.url));
    const { userId } = await new TwitterApi(
      { ...consumer(), accessToken: link.oauth_token, accessSecret: link.oauth_token_secret },
      settings,
    ).login(page.dom.querySelector("#oauth_pin")?.text ?? "");

    expect(userId).toBe(fixture.ana);
  });

  it("reads the refusal of a callback that is not on the allowlist", async () => {
    const asking = new TwitterApi(consumer(), settings).generateAuthLink("https://evil.example/");

    await expect(asking).rejects.toMatchObject({
      code: 403,
      errors: [{ code: 415 }],
    });
  });

  it("reads the refusal of a wrong verifier", async () => {
    const link = await new TwitterApi(consumer(), settings).generateAuthLink(CALLBACK);
    const asking = new TwitterApi(
      { ...consumer(), accessToken: link.oauth_token, accessSecret: link.oauth_token_secret },
      settings,
    ).login("guess");

    await expect(asking).rejects.toMatchObject({ code: 401 });
  });
});

describe("npm twitter-api-v2, unmodified: app-only bearer token", () => {
  it("logs the app in", async () => {
    const client = await new TwitterApi(consumer(), settings).appLogin();

    expect((await client.v2.userByUsername("ana")).data).toMatchObject({ id: fixture.ana });
  });
});

describe("npm twitter-api-v2, unmodified: OAuth 2.0", () => {
  it.each(["web", "native"] as const)(
    "logs in, refreshes and revokes as a %s app",
    async (oauth2_type) => {
      const app = await fixture.sandbox.control.app({ callback_urls: [CALLBACK], oauth2_type });
      const id = {
        clientId: app.client_id,
        ...(app.client_secret === undefined ? {} : { clientSecret: app.client_secret }),
      };
      const link = new TwitterApi(id, settings).generateOAuth2AuthLink(CALLBACK, {
        scope: ["tweet.read", "users.read", "offline.access"],
      });
      const back = (await fixture.approve(await open(link.url))).location?.searchParams;
      const first = await new TwitterApi(id, settings).loginWithOAuth2({
        code: back?.get("code") ?? "",
        codeVerifier: link.codeVerifier,
        redirectUri: CALLBACK,
      });
      const second = await new TwitterApi(id, settings).refreshOAuth2Token(
        first.refreshToken ?? "",
      );
      const { data } = await second.client.v2.me();
      await new TwitterApi(id, settings).revokeOAuth2Token(second.accessToken, "access_token");

      expect(back?.get("state")).toBe(link.state);
      expect(first).toMatchObject({
        expiresIn: 7200,
        scope: ["tweet.read", "users.read", "offline.access"],
      });
      expect(second.accessToken).not.toBe(first.accessToken);
      expect(data.id).toBe(fixture.ana);
      await expect(second.client.v2.me()).rejects.toMatchObject({ code: 401 });
    },
  );
});
