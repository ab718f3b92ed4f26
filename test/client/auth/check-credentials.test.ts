import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import type {
  Credentials,
  OAuth2Credentials,
  OAuth2Tokens,
} from "../../../src/client/auth/credentials.ts";
import { type Handler, instantClock, stubServer, type StubServer } from "../support/stub-server.ts";

const bearer = { type: "bearer", bearerToken: "token-1234" } as const;

describe("a base URL", () => {
  const cases = [
    { baseUrl: "api.example.com", message: /is not a URL/, why: "no scheme" },
    { baseUrl: "http://api.example.com", message: /in the clear/, why: "secrets over plain http" },
    {
      baseUrl: "http://127.0.0.1.example.com",
      message: /in the clear/,
      why: "looks like loopback",
    },
    { baseUrl: "ftp://127.0.0.1", message: /in the clear/, why: "another protocol" },
    { baseUrl: "https://api.example.com?x=1", message: /query/, why: "a query would be lost" },
  ];
  it.each(cases)("is refused: $why", ({ baseUrl, message }) => {
    expect(() => createClient({ baseUrl, credentials: bearer })).toThrow(message);
  });

  const fine = [
    "https://api.example.com",
    "http://127.0.0.1:1",
    "http://[::1]:1",
    "http://localhost",
  ];
  it.each(fine)("is accepted: %s", (baseUrl) => {
    expect(() => createClient({ baseUrl, credentials: bearer })).not.toThrow();
  });
});

describe("credentials", () => {
  const oauth1 = {
    type: "oauth1",
    consumerKey: "sandbox-key",
    consumerSecret: "s",
    accessToken: "t",
    accessTokenSecret: "s",
  } as const;
  const issued: readonly Credentials[] = [
    oauth1,
    { type: "bearer", bearerToken: "sandbox-bearer" },
    { type: "oauth2", accessToken: "t", clientId: "sandbox-client" },
  ];
  it.each(issued)("that a sandbox issued stay on this machine: $type", (credentials) => {
    const away = { baseUrl: "https://api.example.com", credentials };
    expect(() => createClient(away)).toThrow(/issued by a sandbox .* sent to api\.example\.com/);
    expect(() => createClient({ baseUrl: "http://127.0.0.1:1", credentials })).not.toThrow();
    const ads = { baseUrl: "http://127.0.0.1:1", adsBaseUrl: "https://ads.example.com" };
    expect(() => createClient({ ...ads, credentials })).toThrow(/sent to ads\.example\.com/);
  });

  it("with an empty part are refused, and the part is named", () => {
    const credentials = { ...oauth1, consumerKey: "key", accessTokenSecret: "" };
    expect(() => createClient({ baseUrl: "https://api.example.com", credentials })).toThrow(
      "the oauth1 credentials have an empty accessTokenSecret",
    );
  });

  it("with a line break from a file are refused, and the part is named", () => {
    const credentials = { type: "bearer", bearerToken: "token\n" } as const;
    expect(() => createClient({ baseUrl: "https://api.example.com", credentials })).toThrow(
      "have a bearerToken with a blank or an unprintable character",
    );
  });

  it("are not shown if a client is printed", () => {
    const client = createClient({ baseUrl: "https://api.example.com", credentials: bearer });
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain("token-1234");
  });
});

describe("an OAuth 2.0 token", () => {
  let server: StubServer;
  afterEach(() => server.close());

  const me = { body: { data: { id: "42", name: "Bot", username: "bot" } } };
  const unauthorized = { status: 401, body: { title: "Unauthorized", detail: "Unauthorized" } };

  /** Creates a handler that accepts only `token-<n>` after the n-th refresh, and each refresh token once. */
  function rotating(current: { nth: number }): Handler {
    return (request) => {
      if (request.target === "/2/oauth2/token") {
        const used = new URLSearchParams(request.body).get("refresh_token");
        if (used !== `refresh-${current.nth}`)
          return { status: 400, body: { error: "invalid_request" } };
        current.nth += 1;
        const { nth } = current;
        return {
          body: {
            token_type: "bearer",
            expires_in: 7200,
            access_token: `token-${nth}`,
            refresh_token: `refresh-${nth}`,
            scope: "tweet.read users.read",
          },
        };
      }
      return request.headers["authorization"] === `Bearer token-${current.nth}` ? me : unauthorized;
    };
  }

  async function scoped(handle: Handler, more: Partial<OAuth2Credentials> = {}) {
    server = await stubServer(handle);
    const storedTokens: OAuth2Tokens[] = [];
    const client = createClient({
      baseUrl: server.url,
      clock: instantClock(),
      retry: false,
      credentials: {
        type: "oauth2",
        accessToken: "token-0",
        clientId: "client",
        onRefresh: (tokens) => void storedTokens.push(tokens),
        ...more,
      },
    });
    return { client, storedTokens };
  }

  it("is refreshed after a 401 by one request for all waiting calls, and passed on before it is used", async () => {
    const state = { nth: 0 };
    const platform = rotating(state);
    const { client, storedTokens } = await scoped(
      (request, nth) =>
        request.headers["authorization"] === "Bearer token-0"
          ? unauthorized
          : platform(request, nth),
      { refreshToken: "refresh-0" },
    );
    const answers = await Promise.all([client.users.me(), client.users.me(), client.users.me()]);
    expect(answers.map(({ data }) => data.username)).toEqual(["bot", "bot", "bot"]);
    expect(server.seen.filter(({ target }) => target === "/2/oauth2/token")).toHaveLength(1);
    expect(storedTokens).toEqual([
      {
        accessToken: "token-1",
        refreshToken: "refresh-1",
        expiresAt: instantClock().now() + 7_200_000,
        scopes: ["tweet.read", "users.read"],
      },
    ]);
  });

  it("is passed on again before its next use if it could not be stored", async () => {
    const passed: string[] = [];
    let full = true;
    const { client } = await scoped(rotating({ nth: 0 }), {
      refreshToken: "refresh-0",
      expiresAt: instantClock().now(),
      onRefresh: ({ refreshToken = "" }) => {
        passed.push(refreshToken);
        if (full) throw new Error("the disk is full");
      },
    });
    await expect(client.users.me()).rejects.toThrow("the disk is full");
    await expect(client.users.me()).rejects.toThrow("the disk is full");
    full = false;
    await client.users.me();
    await client.users.me();

    expect(passed).toEqual(["refresh-1", "refresh-1", "refresh-1"]);
    expect(server.seen.map(({ target }) => target)).toEqual([
      "/2/oauth2/token",
      "/2/users/me",
      "/2/users/me",
    ]);
  });

  it("is refreshed before it expires if its expiry is known", async () => {
    const expiresAt = instantClock().now() + 10_000;
    const { client } = await scoped(rotating({ nth: 0 }), { refreshToken: "refresh-0", expiresAt });
    await client.users.me();
    expect(server.seen.map(({ target }) => target)).toEqual(["/2/oauth2/token", "/2/users/me"]);
  });

  it("without a refresh token is not refreshed, and the refusal is final", async () => {
    const { client } = await scoped(() => unauthorized);
    await expect(client.users.me()).rejects.toMatchObject({ status: 401 });
    expect(server.seen).toHaveLength(1);
  });

  it("fails the call with the platform's message if its refresh is refused", async () => {
    const refused = { status: 400, body: { error: "invalid_request", error_description: "no" } };
    const { client } = await scoped(
      (request) => (request.target === "/2/oauth2/token" ? refused : unauthorized),
      { refreshToken: "refresh-0" },
    );
    await expect(client.users.me()).rejects.toThrow(
      "POST /2/oauth2/token was refused with 400: no",
    );
  });
});
