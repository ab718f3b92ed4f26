import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import type { Credentials } from "../../src/client/auth/credentials.ts";
import { appOnlyToken } from "../../src/client/login/app-only.ts";
import { createOAuth1Login } from "../../src/client/login/oauth1.ts";
import { createOAuth2Login } from "../../src/client/login/oauth2.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { failureOf } from "./support/world.ts";

/** Addresses of this machine in the form of URLs: `127.0.0.1`, and `[::1]` if IPv6 is available. */
const ADDRESSES = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal }) => internal)
  .map(({ address, family }) => ({
    address,
    host: family === "IPv6" ? `[${address}]` : address,
  }));

const ELSEWHERE = { baseUrl: "https://api.example.com" };

/** App and user of a sandbox, with every kind of credentials. */
async function issuedBy(sandbox: RunningSandbox) {
  const app = await sandbox.control.app();
  const userId = await sandbox.control.user("hello_bot");
  const tokens = await sandbox.control.tokens(userId, app.app_id);
  const consumer = { consumerKey: app.consumer_key, consumerSecret: app.consumer_secret };
  const oauth1 = {
    ...consumer,
    type: "oauth1",
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  } as const satisfies Credentials;
  const bearer = { type: "bearer", bearerToken: app.bearer_token } as const satisfies Credentials;
  const client = { clientId: app.client_id, clientSecret: app.client_secret };
  const oauth2 = { ...client, type: "oauth2", accessToken: "token" } as const satisfies Credentials;
  return { consumer, client, oauth1, bearer, oauth2 };
}

describe("the keys of a sandbox", () => {
  let sandbox: RunningSandbox;
  let issued: Awaited<ReturnType<typeof issuedBy>>;
  beforeAll(async () => {
    sandbox = await startSandbox();
    issued = await issuedBy(sandbox);
  });
  afterAll(() => sandbox.close());

  it.each(["oauth1", "bearer", "oauth2"] as const)("go nowhere else: %s", (kind) => {
    const credentials = issued[kind];
    const refused = /was issued by a sandbox and would be sent to api\.example\.com/;
    expect(() => createClient({ ...ELSEWHERE, credentials })).toThrow(refused);
    const here = createClient({ baseUrl: sandbox.url, credentials });
    expect(() => here.as(credentials)).not.toThrow();
    const ads = { baseUrl: sandbox.url, adsBaseUrl: ELSEWHERE.baseUrl };
    expect(() => createClient({ ...ads, credentials })).toThrow(refused);
  });

  it("are not sent elsewhere by a client of another host, nor by a log-in", async () => {
    const refused = /was issued by a sandbox/;
    const live = { type: "bearer", bearerToken: "live" } as const;
    const other = createClient({ ...ELSEWHERE, credentials: live });
    expect(() => other.as(issued.oauth1)).toThrow(refused);
    expect(() => createOAuth1Login({ ...ELSEWHERE, ...issued.consumer })).toThrow(refused);
    expect(() => createOAuth2Login({ ...ELSEWHERE, ...issued.client })).toThrow(refused);
    const request = appOnlyToken({ ...ELSEWHERE, ...issued.consumer });
    expect(String(await failureOf(request))).toMatch(refused);
  });

  it("work by the name localhost", async () => {
    const baseUrl = sandbox.url.replace("127.0.0.1", "localhost");
    const client = createClient({ baseUrl, credentials: issued.oauth1 });
    expect((await client.users.me()).data.username).toBe("hello_bot");
    await client.close();
  });
});

it.each(ADDRESSES)("a sandbox at $host is called with its own keys", async ({ address, host }) => {
  const sandbox = await startSandbox({ host: address });
  expect(new URL(sandbox.url).hostname).toBe(host);
  const { oauth1: credentials } = await issuedBy(sandbox);
  const client = createClient({ baseUrl: sandbox.url, credentials });
  expect((await client.users.me()).data.username).toBe("hello_bot");
  await client.close();
  await sandbox.close();
});
