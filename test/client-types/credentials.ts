/** Requests that each kind of credentials allows. No code of this file runs: the compiler is the test. */
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";

const baseUrl = "https://api.example.com";
const bearer = { type: "bearer", bearerToken: "token" } as const;
const oauth1 = {
  type: "oauth1",
  consumerKey: "key",
  consumerSecret: "secret",
  accessToken: "token",
  accessTokenSecret: "secret",
} as const;

export function app(client: Client<"bearer">): void {
  // case: the app's token registers webhooks
  void client.webhooks.create("https://bot.example/webhook");

  // case: the app's token writes no posts
  // @ts-expect-error a user's credentials are needed
  void client.posts.create({ text: "hi" });

  // case: the app's token belongs to no user
  // @ts-expect-error a user's credentials are needed
  void client.users.me();

  // case: the app's token searches posts
  void client.posts.searchRecent({ query: "a" });

  // case: the app's token can't subscribe a user, but can end and list subscriptions
  // @ts-expect-error a signed request of the user is needed
  void client.activity.subscribe("1");
  void client.activity.unsubscribe({ webhookId: "1", userId: "2" });
  void client.activity.list("1");

  // case: the app's token requests replays
  void client.replay.start({ webhookId: "1", from: new Date(), to: new Date() });

  // case: the app's token reads no messages
  // @ts-expect-error a user's credentials are needed
  void client.dms.events();
}

export function user(signed: Client<"oauth1">, scoped: Client<"oauth2">): void {
  // case: a user writes posts and messages
  void signed.posts.create({ text: "hi" });
  void scoped.dms.send({ participantId: "1", text: "hi" });

  // case: a user registers no webhooks
  // @ts-expect-error the app's token is needed
  void signed.webhooks.list();

  // case: a user requests no replays
  // @ts-expect-error the app's token is needed
  void scoped.replay.start({ webhookId: "1", from: new Date(), to: new Date() });

  // case: a user with signed requests (OAuth 1.0a) subscribes
  void signed.activity.subscribe("1");

  // case: a user with OAuth 2.0 can't subscribe, because the platform's API requires signed requests
  // @ts-expect-error OAuth 1.0a is needed
  void scoped.activity.subscribe("1");

  // case: the ads API requires signed requests
  void signed.appLists.list({ accountId: "a" });
  // @ts-expect-error OAuth 1.0a is needed
  void scoped.appLists.list({ accountId: "a" });

  // case: version 1.1 of the platform's API requires signed requests
  void signed.account.verifyCredentials();
  // @ts-expect-error OAuth 1.0a is needed
  void scoped.account.verifyCredentials();
}

export function unknown(client: Client, eitherUser: Client<"oauth1" | "oauth2">): void {
  // case: a client with unknown credentials compiles for every endpoint, and checks the credentials at the call
  void client.webhooks.list();
  void client.posts.create({ text: "hi" });

  // case: an endpoint that no credentials of a union may call does not compile
  void eitherUser.posts.create({ text: "hi" });
  // @ts-expect-error the app's token is needed
  void eitherUser.webhooks.list();

  // case: rate-limit budgets are read by the name of an endpoint
  void client.rateLimits.get("POST /2/posts");
  // @ts-expect-error no such endpoint
  void client.rateLimits.get("POST /2/poasts");

  // case: a client of one user fits a parameter that accepts either kind of user credentials
  const narrow: Client<"oauth1"> = createClient({ baseUrl, credentials: oauth1 });
  void narrow;
}

export function withCredentials(): void {
  // case: the type of a client follows from its credentials
  const client = createClient({ baseUrl, credentials: bearer });
  void client.webhooks.list();
  // @ts-expect-error a user's credentials are needed
  void client.likes.create({ userId: "1", postId: "2" });

  // case: `as` returns a client with the other kind of credentials
  void client.as(oauth1).likes.create({ userId: "1", postId: "2" });

  // case: credentials written as a literal also determine the client's type
  const inPlace = createClient({ baseUrl, credentials: { type: "bearer", bearerToken: "x" } });
  // @ts-expect-error a user's credentials are needed
  void inPlace.users.me();

  // case: incomplete credentials do not compile
  // @ts-expect-error no accessTokenSecret
  createClient({ baseUrl, credentials: { ...oauth1, accessTokenSecret: undefined } });

  // case: a property of another kind of credentials is refused
  // @ts-expect-error bearerToken is not oauth1's
  createClient({ baseUrl, credentials: { type: "oauth1", bearerToken: "x" } });

  // case: a call that takes two ids names each, so that they can't be swapped
  // @ts-expect-error names
  void client.as(oauth1).follows.create("1", "2");

  // case: the attribution windows of a conversion are the numbers that the API accepts
  const key = {
    appId: "1",
    conversionTime: new Date(),
    conversionType: "INSTALL",
    hashedDeviceId: "d",
    osType: "IOS",
  } as const;
  void client.as(oauth1).conversions.record({ ...key, clickWindow: 14, viewThroughWindow: 0 });
  // @ts-expect-error 2 days is not an accepted window
  void client.as(oauth1).conversions.record({ ...key, clickWindow: 2 });
  // @ts-expect-error an unknown conversion
  void client.as(oauth1).conversions.record({ ...key, conversionType: "BOUGHT" });

  // case: both kinds of user credentials read bookmarks, and only OAuth 2.0 adds them
  void client.as(oauth1).bookmarks.list("1");
  // @ts-expect-error OAuth 1.0a has no permission to add bookmarks
  void client.as(oauth1).bookmarks.create({ userId: "1", postId: "2" });

  // case: the app's token and OAuth 2.0 read Spaces
  void client.spaces.get("1");
  // @ts-expect-error signed requests (OAuth 1.0a) can't read Spaces
  void client.as(oauth1).spaces.get("1");
}
