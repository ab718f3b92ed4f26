import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Pool } from "undici";
import { afterEach, describe, expect, it, vi } from "vitest";
import { HANG_MS } from "../../support/hang-limit.ts";
import { when } from "../../support/when.ts";
import {
  PlatformError,
  ProtocolError,
  RateLimitError,
  UnreachableError,
} from "../../../src/client/errors.ts";
import type { OAuth2Tokens } from "../../../src/client/auth/credentials.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { type Handler, instantClock, stubServer, type StubServer } from "../support/stub-server.ts";

const USER = {
  type: "oauth1",
  consumerKey: "ck-1234",
  consumerSecret: "consumer-secret-1234",
  accessToken: "42-token",
  accessTokenSecret: "token-secret-1234",
} as const;

let server: StubServer;
afterEach(() => server.close());

async function userClient(handle: Handler, timeoutMs = 500) {
  server = await stubServer(handle);
  const clock = instantClock();
  const client = createClient({
    baseUrl: server.url,
    credentials: USER,
    clock,
    random: () => 0.5,
    timeoutMs,
  });
  return { client, clock };
}

const created = { status: 201, body: { data: { id: "1", text: "hi" } } };

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error("the call succeeded");
    },
    (error: unknown) => error,
  );
}

describe("an answer's size", () => {
  const MAX_BYTES = 32 * 1024 * 1024;
  const ofBytes = (bytes: number) => {
    const [start, end] = ['{"data":{"id":"1","text":"', '"}}'];
    return start + "x".repeat(bytes - start.length - end.length) + end;
  };

  it("may be 32 MiB", async () => {
    const { client } = await userClient(() => ({ status: 201, body: ofBytes(MAX_BYTES) }), HANG_MS);

    const { text } = await client.posts.create({ text: "hi" });

    expect(text.length).toBeGreaterThan(MAX_BYTES - 50);
  });

  it("is refused one byte above that", async () => {
    const { client } = await userClient(
      () => ({ status: 201, body: ofBytes(MAX_BYTES + 1) }),
      HANG_MS,
    );

    expect(await failureOf(client.posts.create({ text: "hi" }))).toMatchObject({
      name: "ProtocolError",
      message: expect.stringContaining("more than 32 MiB"),
    });
  });
});

describe("a call that goes well", () => {
  it("sends one signed request and returns the data", async () => {
    const { client } = await userClient(() => created);
    expect(await client.posts.create({ text: "hi" })).toEqual({ id: "1", text: "hi" });
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({
      method: "POST",
      target: "/2/posts",
      body: '{"text":"hi"}',
    });
    expect(server.seen[0]?.headers["authorization"]).toMatch(/^OAuth oauth_consumer_key="ck-1234"/);
  });

  it("can call an endpoint that has no method", async () => {
    const { client } = await userClient(() => ({ body: { data: { id: "84", name: "Friends" } } }));
    const { body } = await client.request({
      method: "GET",
      endpoint: "/2/communities/:id",
      path: { id: "84" },
      query: { "community.fields": ["name"] },
    });
    expect(body["data"]).toEqual({ id: "84", name: "Friends" });
    expect(server.seen[0]?.target).toBe("/2/communities/84?community.fields=name");
  });

  it("treats an answer without a body as an empty one", async () => {
    const { client } = await userClient(() => ({ status: 204, body: "" }));
    const endpoint = "/1.1/account_activity/all/:env/webhooks/:id.json";
    const path = { env: "dev", id: "84" };
    const answer = await client.request({ method: "DELETE", endpoint, path });
    expect(answer).toMatchObject({ status: 204, body: {} });
    expect(server.seen[0]?.target).toBe("/1.1/account_activity/all/dev/webhooks/84.json");
  });

  it("stores the budgets and the access level from the headers", async () => {
    const headers = {
      "x-rate-limit-limit": "100",
      "x-rate-limit-remaining": "99",
      "x-rate-limit-reset": "1767226500",
      "x-access-level": "read-write",
    };
    const { client } = await userClient(() => ({ ...created, headers }));
    await client.posts.create({ text: "hi" });
    expect(client.rateLimits.get("POST /2/posts")?.window).toEqual({
      limit: 100,
      remaining: 99,
      resetAt: 1_767_226_500_000,
    });
    expect(client.accessLevel).toBe("read-write");
  });
});

describe("beforeWrite", () => {
  it("runs before the server sees anything", async () => {
    const { client } = await userClient(() => created);
    let seenBefore = -1;
    await client.posts.create(
      { text: "hi" },
      { beforeWrite: () => (seenBefore = server.seen.length) },
    );
    expect(seenBefore).toBe(0);
  });

  it("runs in the same tick as the write", async () => {
    const { client } = await userClient(() => created);
    let later = false;
    const laterAtWrite: boolean[] = [];
    const note = () => laterAtWrite.push(later);
    subscribe("undici:client:sendHeaders", note);
    await client.posts.create(
      { text: "hi" },
      { beforeWrite: () => queueMicrotask(() => (later = true)) },
    );
    unsubscribe("undici:client:sendHeaders", note);
    expect(laterAtWrite).toEqual([false]);
    expect(later).toBe(true);
  });

  it("stops the request with nothing sent when it throws, and the connection stays usable", async () => {
    const { client } = await userClient(() => created);
    const cause = new Error("lease lost");
    const error = await failureOf(
      client.posts.create(
        { text: "hi" },
        {
          beforeWrite: () => {
            throw cause;
          },
        },
      ),
    );
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ sent: "no", ended: "caller", retryable: false, cause });
    expect(server.seen).toHaveLength(0);
    await client.posts.create({ text: "hi" });
    expect(server.seen).toHaveLength(1);
  });

  it("runs before each try", async () => {
    const { client } = await userClient((_, nth) =>
      nth === 1 ? { status: 429, body: {} } : created,
    );
    let ran = 0;
    await client.posts.create({ text: "hi" }, { beforeWrite: () => (ran += 1) });
    expect(ran).toBe(2);
  });
});

describe("a write whose outcome is unknown", () => {
  const endings: readonly { ending: string; handle: Handler; ended: string }[] = [
    {
      ending: "the connection is cut",
      handle: () => (_, socket) => socket.destroy(),
      ended: "connection",
    },
    { ending: "no answer comes in time", handle: () => () => undefined, ended: "timeout" },
    {
      ending: "the answer breaks off",
      handle: () => (response, socket) => {
        response.writeHead(201, { "content-length": "100" });
        response.write("{");
        setImmediate(() => socket.destroy());
      },
      ended: "connection",
    },
  ];

  it.each(endings)("is not repeated when $ending", async ({ handle, ended }) => {
    const { client } = await userClient(handle);
    const error = await failureOf(client.posts.create({ text: "hi" }));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ sent: "maybe", ended, retryable: false });
    expect(server.seen).toHaveLength(1);
  });

  it.each([503, 408])("is not repeated after a %i", async (status) => {
    const { client } = await userClient(() => ({ status, body: {} }));
    const error = await failureOf(client.posts.create({ text: "hi" }));
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ status, executed: "unknown", retryable: false });
    expect(server.seen).toHaveLength(1);
  });
});

describe("a repeat that is safe", () => {
  it("waits for the reset with jitter after a 429, even for a write", async () => {
    const reset = String(Date.UTC(2026, 0, 1) / 1000 + 10);
    const headers = {
      "x-rate-limit-limit": "15",
      "x-rate-limit-remaining": "0",
      "x-rate-limit-reset": reset,
    };
    const { client, clock } = await userClient((_, nth) =>
      nth === 1 ? { status: 429, headers, body: {} } : created,
    );
    await client.posts.create({ text: "hi" });
    expect(clock.slept).toEqual([10_125]);
  });

  it("throws if the reset is far away", async () => {
    const headers = {
      "x-rate-limit-limit": "15",
      "x-rate-limit-remaining": "0",
      "x-rate-limit-reset": String(Date.UTC(2026, 0, 1) / 1000 + 900),
    };
    const { client } = await userClient(() => ({ status: 429, headers, body: {} }));
    const error = await failureOf(client.posts.create({ text: "hi" }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ executed: "no", resetAt: Date.UTC(2026, 0, 1, 0, 15) });
    expect(server.seen).toHaveLength(1);
  });

  it("repeats a read whose connection was cut", async () => {
    const { client } = await userClient((_, nth) =>
      nth < 3
        ? (_response, socket) => socket.destroy()
        : { body: { data: { id: "1", text: "hi" } } },
    );
    expect((await client.posts.get("1")).data.text).toBe("hi");
    expect(server.seen).toHaveLength(3);
  });

  it("reports that an earlier attempt may have caused a refusal", async () => {
    const { client } = await userClient((_, nth) =>
      nth === 1 ? (_response, socket) => socket.destroy() : { status: 404, body: {} },
    );
    const error = await failureOf(client.posts.delete("1"));
    expect(error).toMatchObject({ status: 404, refusal: { afterUnknown: true } });
  });
});

describe("a call that can't be sent", () => {
  it("reports that nothing was sent if there is no server", async () => {
    server = await stubServer(() => created);
    const { url } = server;
    await server.close();
    const client = createClient({ baseUrl: url, credentials: USER, retry: false });
    const error = await failureOf(client.posts.create({ text: "hi" }));
    expect(error).toMatchObject({ sent: "no", ended: "connection", retryable: true });
  });

  it("reports that nothing was sent if its signal was aborted before", async () => {
    const { client } = await userClient(() => created);
    const signal = AbortSignal.abort(new Error("shutting down"));
    const error = await failureOf(client.posts.create({ text: "hi" }, { signal }));
    expect(error).toMatchObject({ sent: "no", ended: "caller" });
    expect(server.seen).toHaveLength(0);
  });

  it("reports that the outcome is unknown if its signal aborts after the write", async () => {
    const controller = new AbortController();
    const { client } = await userClient(() => {
      controller.abort();
      return () => undefined;
    });
    const error = await failureOf(
      client.posts.create({ text: "hi" }, { signal: controller.signal }),
    );
    expect(error).toMatchObject({ sent: "maybe", ended: "caller", retryable: false });
  });
});

describe("a call that waits for a connection", () => {
  it("sends nothing after its caller gave up", async () => {
    let release = (): void => undefined;
    server = await stubServer(() => (response) => {
      release = () => response.end(JSON.stringify(created.body));
    });
    const dispatcher = new Pool(server.url, { connections: 1 });
    const client = createClient({ baseUrl: server.url, credentials: USER, dispatcher });
    const first = client.posts.create({ text: "first" });
    const controller = new AbortController();
    const { signal } = controller;
    const second = failureOf(client.posts.create({ text: "second" }, { signal }));
    await when(() => (server.seen.length === 1 ? true : undefined));
    controller.abort();
    expect(await second).toMatchObject({ sent: "no", ended: "caller" });
    release();
    await first;
    await dispatcher.close();
    expect(server.seen.map(({ body }) => body)).toEqual(['{"text":"first"}']);
  });

  it("sends nothing after its time ran out", async () => {
    let release = (): void => undefined;
    server = await stubServer(() => (response) => {
      release = () => response.end(JSON.stringify(created.body));
    });
    const dispatcher = new Pool(server.url, { connections: 1 });
    const client = createClient({
      baseUrl: server.url,
      credentials: USER,
      dispatcher,
      retry: false,
    });
    const first = client.posts.create({ text: "first" });
    const second = client.posts.create({ text: "second" }, { timeoutMs: 50 });
    expect(await failureOf(second)).toMatchObject({
      sent: "no",
      ended: "timeout",
      retryable: true,
    });
    await when(() => (server.seen.length === 1 ? true : undefined));
    release();
    await first;
    await dispatcher.close();
    expect(server.seen).toHaveLength(1);
  });
});

describe("an answer that the interface does not describe", () => {
  const odd = [
    { answer: "<html>", why: "a proxy's page" },
    { answer: "", why: "nothing" },
    { answer: "[]", why: "no object" },
    { answer: "{}", why: "neither data nor errors" },
    { answer: '{"data":{"id":1}}', why: "an id that is a number" },
  ];
  it.each(odd)("is a ProtocolError: $why", async ({ answer }) => {
    const { client } = await userClient(() => ({ body: answer }));
    expect(await failureOf(client.posts.create({ text: "hi" }))).toBeInstanceOf(ProtocolError);
  });
});

describe("an answer with a byte order mark", () => {
  it("is read like one without, also a refusal", async () => {
    const { client } = await userClient(({ method }) =>
      method === "POST"
        ? { status: 201, body: `\uFEFF${JSON.stringify(created.body)}` }
        : { status: 404, body: '\uFEFF{"title":"Not Found Error"}' },
    );

    expect(await client.posts.create({ text: "hi" })).toEqual({ id: "1", text: "hi" });
    expect(await failureOf(client.posts.get("1"))).toMatchObject({
      refusal: { title: "Not Found Error" },
    });
  });
});

describe("a call whose access token can't be refreshed", () => {
  const endings: readonly { why: string; handle: Handler; unsent: object }[] = [
    {
      why: "the connection is cut",
      handle: () => (_, socket) => socket.destroy(),
      unsent: { name: "UnreachableError", sent: "no", ended: "connection", retryable: true },
    },
    {
      why: "the token endpoint fails",
      handle: () => ({ status: 503, body: {} }),
      unsent: { name: "PlatformError", status: 503, executed: "no", retryable: true },
    },
    {
      why: "the token endpoint is at its limit",
      handle: () => ({ status: 429, body: {} }),
      unsent: { name: "RateLimitError", status: 429, executed: "no", retryable: true },
    },
  ];
  const oauth2 = {
    type: "oauth2",
    accessToken: "access-1234",
    refreshToken: "refresh-1234",
    clientId: "client-1234",
  } as const;

  it.each(endings)("was not carried out: $why", async ({ handle, unsent }) => {
    const { client, clock } = await userClient(handle);
    const expired = client.as({ ...oauth2, expiresAt: clock.now() });
    const error = await failureOf(expired.posts.create({ text: "hi" }));

    expect(error).toMatchObject(unsent);
    expect(String(error)).toMatch(/POST \/2\/posts was not carried out, .*\/2\/oauth2\/token/);
    expect(server.seen.map(({ target }) => target)).toEqual(["/2/oauth2/token"]);
  });

  it.each(endings)("was not carried out, after a 401: $why", async ({ handle, unsent }) => {
    const { client } = await userClient((request, nth) =>
      request.target === "/2/posts" ? { status: 401, body: {} } : handle(request, nth),
    );
    const refused = client.as(oauth2);

    expect(await failureOf(refused.posts.create({ text: "hi" }))).toMatchObject(unsent);
    expect(server.seen.map(({ target }) => target)).toEqual(["/2/posts", "/2/oauth2/token"]);
  });
});

it.each([401, "expired"])(
  "ends when its signal aborts during a token refresh: %s",
  async (cause) => {
    const controller = new AbortController();
    let release = (): void => undefined;
    const { client, clock } = await userClient(({ target }) => {
      if (target === "/2/posts") return { status: 401, body: {} };
      return (response) => {
        release = () => response.end(JSON.stringify({ access_token: "next", expires_in: 7_200 }));
        controller.abort();
      };
    }, HANG_MS);
    let isStored = false;
    const expiring = client.as({
      type: "oauth2",
      accessToken: "access-1234",
      refreshToken: "refresh-1234",
      clientId: "client-1234",
      ...(cause === "expired" && { expiresAt: clock.now() }),
      onRefresh: () => void (isStored = true),
    });
    const { signal } = controller;
    const error = await failureOf(expiring.posts.create({ text: "hi" }, { signal }));

    expect(error).toMatchObject({ name: "UnreachableError", sent: "no", ended: "caller" });
    release();
    await when(() => (isStored ? true : undefined));
  },
);

it("keeps the refresh token if a refresh returns no other one", async () => {
  const { client, clock } = await userClient(({ target }) =>
    target === "/2/oauth2/token" ? { body: { access_token: "next", expires_in: 7_200 } } : created,
  );
  const stored: unknown[] = [];
  const credentials = {
    type: "oauth2",
    accessToken: "access-1234",
    refreshToken: "refresh-1234",
    clientId: "client-1234",
    expiresAt: clock.now(),
    onRefresh: ({ refreshToken }: OAuth2Tokens) => void stored.push(refreshToken),
  } as const;
  await client.as(credentials).posts.create({ text: "hi" });

  expect(stored).toEqual(["refresh-1234"]);
});

describe("a time limit that no timer can keep", () => {
  it.each([0, -1, Number.NaN, 2 ** 31, Infinity])("is refused before a request: %d", async (ms) => {
    const { client } = await userClient(() => created);

    expect(await failureOf(client.posts.create({ text: "hi" }, { timeoutMs: ms }))).toMatchObject({
      name: "UsageError",
      message: expect.stringContaining(`timeoutMs is ${ms}`),
    });
    expect(server.seen).toEqual([]);
  });
});

describe("onAttempt", () => {
  it("can't make a call fail that the platform executed: its error becomes a warning", async () => {
    server = await stubServer(() => created);
    const warnings: Error[] = [];
    const warn = vi.spyOn(process, "emitWarning").mockImplementation((warning) => {
      if (warning instanceof Error) warnings.push(warning);
    });
    const cause = new Error("no such metric");
    const client = createClient({
      baseUrl: server.url,
      credentials: USER,
      onAttempt: () => {
        throw cause;
      },
    });
    const post = await client.posts.create({ text: "hi" });
    warn.mockRestore();

    expect(post.id).toBe("1");
    expect(warnings).toEqual([cause]);
  });
});

it("reads the count of stream rules of an app without an id", async () => {
  const app = { client_app_id: null, rule_count: 1 };
  const { client } = await userClient(() => ({
    body: {
      data: {
        cap_per_client_app: "5",
        cap_per_project: "5",
        project_rules_count: "1",
        client_app_rules_count: app,
        all_project_client_apps: [app],
      },
    },
  }));
  const counts = await client
    .as({ type: "bearer", bearerToken: "b-1" })
    .filteredStream.ruleCounts();

  expect(counts).toMatchObject({ project_rules_count: 1, all_project_client_apps: [app] });
});

describe("an empty answer", () => {
  it.each(["data", "nothing"])(
    "is an empty list where the platform sends null or no list: %s",
    async (sent) => {
      const data = sent === "data" ? { data: null } : {};
      const { client } = await userClient(() => ({ body: { ...data, meta: { result_count: 0 } } }));
      const app = client.as({ type: "bearer", bearerToken: "b-1234" });

      expect((await client.posts.searchRecent({ query: "x" })).data).toEqual([]);
      expect(await app.webhooks.list()).toEqual([]);
    },
  );

  it("has no subscriptions where the platform omits their list", async () => {
    const webhook = { application_id: "1", webhook_id: "2", webhook_url: "https://bot.example/" };
    const { client } = await userClient(() => ({ body: { data: webhook } }));
    const app = client.as({ type: "bearer", bearerToken: "b-1234" });

    expect((await app.activity.list("2")).subscriptions).toEqual([]);
  });

  it("is a refusal where the platform sends null and errors", async () => {
    const errors = [{ title: "Not Found Error", type: "https://x.example/resource-not-found" }];
    const { client } = await userClient(() => ({ body: { data: null, errors } }));

    expect(await failureOf(client.posts.get("1"))).toMatchObject({ notFound: true });
  });
});

describe("a request", () => {
  it("asks for an answer without compression, which the client does not decode", async () => {
    const { client } = await userClient(() => created);
    await client.posts.create({ text: "hi" });

    expect(server.seen[0]?.headers["accept-encoding"]).toBe("identity");
  });
});

describe("a provisional answer", () => {
  it("is skipped, also before a stream", async () => {
    const { client } = await userClient(() => (response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      response.writeHead(201);
      response.end(`${JSON.stringify({ data: { id: "1", text: "hi" } })}\r\n`);
    });
    const app = client.as({ type: "bearer", bearerToken: "b-1234" });
    const signal = AbortSignal.timeout(HANG_MS);
    const first = await app.filteredStream.posts({ signal }).next();

    expect(first.value?.data.text).toBe("hi");
    expect((await client.posts.create({ text: "hi" })).id).toBe("1");
  });
});

describe("secrets", () => {
  it("never appear in a message, not even if the platform echoes them", async () => {
    const echo = `bad token ${USER.accessToken} ${USER.accessTokenSecret}`;
    const { client } = await userClient(() => ({
      status: 401,
      body: { title: "Unauthorized", detail: echo, errors: [{ message: echo }] },
    }));
    const error = await failureOf(client.posts.create({ text: "hi" }));
    expect(JSON.stringify([String(error), error])).not.toContain("42-token");
    expect(String(error)).toContain("[secret]");
  });
});
