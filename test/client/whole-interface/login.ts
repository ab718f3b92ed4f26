import { expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { appOnlyToken, invalidateAppOnlyToken } from "../../../src/client/login/app-only.ts";
import { createOAuth1Login, type OAuth1Login } from "../../../src/client/login/oauth1.ts";
import {
  type AnyScope,
  createOAuth2Login,
  type OAuth2Login,
} from "../../../src/client/login/oauth2.ts";
import type { OAuth2Tokens } from "../../../src/client/auth/credentials.ts";
import { decide } from "../support/browser.ts";
import { failureOf } from "../support/world.ts";
import { type Call, CALLBACK, type Stage } from "./stage.ts";

type MethodsOf<Login> = Exclude<keyof Login & string, "close">;

/** Names of the client's log-in functions, such as `oauth2.` followed by a method. */
type Helper =
  | `oauth1.${MethodsOf<OAuth1Login>}`
  | `oauth2.${MethodsOf<OAuth2Login>}`
  | "appOnlyToken"
  | "invalidateAppOnlyToken";

const ALICE = { username: "alice", decision: "allow" } as const;

function oauth1({ app, recorder, sandbox }: Stage): OAuth1Login {
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = app;
  const { dispatcher } = recorder;
  return createOAuth1Login({ baseUrl: sandbox.url, consumerKey, consumerSecret, dispatcher });
}

function oauth2({ app, recorder, sandbox }: Stage): OAuth2Login {
  const { client_id: clientId, client_secret: clientSecret } = app;
  const { dispatcher } = recorder;
  return createOAuth2Login({ baseUrl: sandbox.url, clientId, clientSecret, dispatcher });
}

const SCOPES = ["post.read", "users.read", "offline.access"] as const;

async function oauth2Tokens(
  login: OAuth2Login,
  scopes: readonly AnyScope[] = SCOPES,
): Promise<OAuth2Tokens> {
  const begun = login.begin({ redirectUri: CALLBACK, scopes });
  return login.complete((await decide(begun.url, ALICE)).location, begun);
}

/** Returns Alice's client with OAuth 2.0 and further scopes. */
export async function scopedClient(
  stage: Stage,
  ...scopes: readonly AnyScope[]
): Promise<Client<"oauth2">> {
  const login = oauth2(stage);
  const tokens = await oauth2Tokens(login, [...SCOPES, ...scopes]);
  return stage.bot.as(login.credentials(tokens));
}

/** Creates a separate app, whose token may be invalidated. */
async function ownApp({ recorder, sandbox }: Stage) {
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } =
    await sandbox.control.app();
  const { dispatcher } = recorder;
  return { baseUrl: sandbox.url, consumerKey, consumerSecret, dispatcher };
}

export const LOGINS: Readonly<Record<Helper, Call>> = {
  "oauth1.begin": async (stage) => {
    const begun = await oauth1(stage).begin(CALLBACK, { forceLogin: true });
    expect(begun.url).toContain(`/oauth/authenticate?oauth_token=${begun.requestToken}`);
  },
  "oauth1.beginPin": async (stage) => {
    const begun = await oauth1(stage).beginPin();
    expect(begun.url).toContain(`/oauth/authorize?oauth_token=${begun.requestToken}`);
  },
  "oauth1.complete": async (stage) => {
    const login = oauth1(stage);
    const begun = await login.begin(CALLBACK);
    const done = await login.complete((await decide(begun.url, ALICE)).location, begun);
    expect(done).toMatchObject({ userId: stage.personId, username: "alice" });
    expect((await stage.bot.as(done.credentials).users.me()).data.username).toBe("alice");
  },
  "oauth1.completePin": async (stage) => {
    const login = oauth1(stage);
    const begun = await login.beginPin();
    const { page } = await decide(begun.url, ALICE);
    const done = await login.completePin(/\b\d{7}\b/.exec(page)?.[0] ?? "", begun);
    expect((await stage.bot.as(done.credentials).users.me()).data.username).toBe("alice");
  },
  "oauth2.begin": async (stage) => {
    const scopes = ["post.write", "dm.read"] as const;
    const begun = oauth2(stage).begin({ redirectUri: CALLBACK, scopes });
    expect(new URL(begun.url).searchParams.get("scope")).toBe("tweet.write dm.read");
  },
  "oauth2.complete": async (stage) => {
    const login = oauth2(stage);
    const tokens = await oauth2Tokens(login);
    expect(tokens.scopes).toEqual(["tweet.read", "users.read", "offline.access"]);
  },
  "oauth2.credentials": async (stage) => {
    const login = oauth2(stage);
    const client = stage.bot.as(login.credentials(await oauth2Tokens(login)));
    expect((await client.users.me()).data.username).toBe("alice");
  },
  "oauth2.refresh": async (stage) => {
    const login = oauth2(stage);
    const first = await oauth2Tokens(login);
    const next = await login.refresh(first.refreshToken ?? "");
    expect(next.accessToken).not.toBe(first.accessToken);
    expect((await stage.bot.as(login.credentials(next)).users.me()).data.username).toBe("alice");
  },
  "oauth2.revoke": async (stage) => {
    const login = oauth2(stage);
    const tokens = { ...(await oauth2Tokens(login)), refreshToken: undefined };
    await login.revoke(tokens.accessToken);
    const client = stage.bot.as(login.credentials(tokens));
    expect(await failureOf(client.users.me())).toMatchObject({ status: 401 });
  },
  appOnlyToken: async (stage) => {
    const client = stage.bot.as(await appOnlyToken(await ownApp(stage)));
    expect((await client.users.byUsername("alice")).data.id).toBe(stage.personId);
  },
  invalidateAppOnlyToken: async (stage) => {
    const app = await ownApp(stage);
    const credentials = await appOnlyToken(app);
    await invalidateAppOnlyToken(credentials.bearerToken, app);
    const call = stage.bot.as(credentials).users.byUsername("alice");
    expect(await failureOf(call)).toMatchObject({ status: 401 });
  },
};
