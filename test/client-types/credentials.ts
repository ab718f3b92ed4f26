/** Requests that each kind of credentials allows. Nothing here runs: the compiler is the test. */
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

  // case: the app's token searches
  void client.posts.searchRecent({ query: "a" });

  // case: the app's token subscribes no user, but ends and lists subscriptions
  // @ts-expect-error a signed request of the user is needed
  void client.activity.subscribe("1");
  void client.activity.unsubscribe({ webhookId: "1", userId: "2" });
  void client.activity.list("1");

  // case: the app's token replays
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

  // case: a user replays nothing
  // @ts-expect-error the app's token is needed
  void scoped.replay.start({ webhookId: "1", from: new Date(), to: new Date() });

  // case: a signed user subscribes
  void signed.activity.subscribe("1");

  // case: a scoped user does not: the interface has it signed
  // @ts-expect-error OAuth 1.0a is needed
  void scoped.activity.subscribe("1");

  // case: advertising is signed
  void signed.appLists.list({ accountId: "a" });
  // @ts-expect-error OAuth 1.0a is needed
  void scoped.appLists.list({ accountId: "a" });

  // case: the 1.1 interface is signed
  void signed.account.verifyCredentials();
  // @ts-expect-error OAuth 1.0a is needed
  void scoped.account.verifyCredentials();
}

export function unknown(client: Client, eitherUser: Client<"oauth1" | "oauth2">): void {
  // case: where the kind is not known, everything may be asked, and is checked when it is
  void client.webhooks.list();
  void client.posts.create({ text: "hi" });

  // case: what neither kind may ask does not compile
  void eitherUser.posts.create({ text: "hi" });
  // @ts-expect-error the app's token is needed
  void eitherUser.webhooks.list();

  // case: the budgets are asked for by the name of an endpoint
  void client.rateLimits.get("POST /2/posts");
  // @ts-expect-error no such endpoint
  void client.rateLimits.get("POST /2/poasts");

  // case: one user's client stands in for either's
  const narrow: Client<"oauth1"> = createClient({ baseUrl, credentials: oauth1 });
  void narrow;
}

export function withCredentials(): void {
  // case: a client knows its kind from its credentials
  const client = createClient({ baseUrl, credentials: bearer });
  void client.webhooks.list();
  // @ts-expect-error a user's credentials are needed
  void client.likes.create({ userId: "1", postId: "2" });

  // case: `as` gives a client of the other kind
  void client.as(oauth1).likes.create({ userId: "1", postId: "2" });

  // case: credentials written in place are known too
  const inPlace = createClient({ baseUrl, credentials: { type: "bearer", bearerToken: "x" } });
  // @ts-expect-error a user's credentials are needed
  void inPlace.users.me();

  // case: half of the credentials are none
  // @ts-expect-error no accessTokenSecret
  createClient({ baseUrl, credentials: { ...oauth1, accessTokenSecret: undefined } });

  // case: parts of another kind are refused
  // @ts-expect-error bearerToken is not oauth1's
  createClient({ baseUrl, credentials: { type: "oauth1", bearerToken: "x" } });

  // case: two ids of one call have names, so that they can't be swapped
  // @ts-expect-error names
  void client.as(oauth1).follows.create("1", "2");

  // case: replay settings of a conversion are the interface's numbers
  const key = {
    appId: "1",
    conversionTime: new Date(),
    conversionType: "INSTALL",
    hashedDeviceId: "d",
    osType: "IOS",
  } as const;
  void client.as(oauth1).conversions.record({ ...key, clickWindow: 14, viewThroughWindow: 0 });
  // @ts-expect-error 2 is no window
  void client.as(oauth1).conversions.record({ ...key, clickWindow: 2 });
  // @ts-expect-error an unknown conversion
  void client.as(oauth1).conversions.record({ ...key, conversionType: "BOUGHT" });

  // case: bookmarks are read with either kind of a user's credentials, and kept with OAuth 2.0 only
  void client.as(oauth1).bookmarks.list("1");
  // @ts-expect-error OAuth 1.0a has no permission for it
  void client.as(oauth1).bookmarks.create({ userId: "1", postId: "2" });

  // case: spaces are the app's and OAuth 2.0's
  void client.spaces.get("1");
  // @ts-expect-error no signed requests
  void client.as(oauth1).spaces.get("1");
}
