import { describe, expect, it } from "vitest";
import { createBot } from "../../src/bots/authoring.ts";
import type { BotContext } from "../../src/bots/define.ts";
import type { Progress } from "../../src/bots/durable/record.ts";
import type { Handling } from "../../src/bots/messages.ts";
import { botClient } from "../../src/bots/platform/bot-client.ts";
import type { PlatformAnswer, PlatformRequest } from "../../src/bots/platform-request.ts";
import { runHandlers } from "../../src/bots/run-handlers.ts";
import type { Dialect } from "../../src/protocol/dialects.ts";
import { messageReceived } from "../support/events.ts";
import { NOBODY_ANSWERS } from "../support/nobody-answers.ts";

const POST = { id: "7", text: "hello" };

/** Runs a handler, and returns its requests to the platform and the record of its calls. */
async function asks(
  handler: (ctx: BotContext<"dm.received">) => Promise<unknown>,
  {
    dialect = "post",
    answer = { ok: true, status: 200, body: { data: POST } },
  }: { readonly dialect?: Dialect; readonly answer?: PlatformAnswer } = {},
) {
  const bot = createBot("asker")
    .on("dm.received", async (ctx) => void (await handler(ctx)))
    .toBot();
  const handling: Handling = {
    bot: "asker",
    triggers: ["dm.received"],
    event: messageReceived({ text: "hi" }),
    account: { id: "100", username: "hello_bot" },
    now: 0,
    replayed: false,
    answered: false,
  };
  const requests: PlatformRequest[] = [];
  const stored: Progress["entries"][number][] = [];
  const outcome = await runHandlers(bot, handling, {
    ...NOBODY_ANSWERS,
    dialect,
    signal: new AbortController().signal,
    post: () => {},
    keep: async (progress) => void stored.push(...progress.entries),
    read: async () => ({ version: 0 }),
    ask: async (request) => {
      requests.push(structuredClone(request));
      return answer;
    },
    clientOver: () => botClient,
    beginning: (begin) => begin(),
  });
  const entries = [...stored, ...(outcome?.entries ?? [])].map(({ entry }) => entry);
  return { requests, entries, error: outcome?.error };
}

describe("a look-up of a handler", () => {
  it("is sent as endpoint and parameters, without credentials", async () => {
    const { requests } = await asks((ctx) =>
      ctx.client.posts.get("7", { postFields: ["lang"] }, { timeoutMs: 900 }),
    );

    expect(requests).toEqual([
      {
        method: "GET",
        endpoint: "/2/posts/:id",
        path: { id: "7" },
        query: { "post.fields": "lang" },
        timeoutMs: 900,
      },
    ]);
  });

  it("uses the names of the platform's dialect", async () => {
    const look = (ctx: BotContext): Promise<unknown> =>
      ctx.client.posts.get("7", { postFields: ["lang"] });
    const { requests } = await asks(look, { dialect: "tweet" });

    expect(requests).toMatchObject([{ query: { "tweet.fields": "lang" } }]);
  });

  it("is recorded with its answer, but not separately within a step", async () => {
    const { entries } = await asks(async (ctx) => {
      await ctx.client.posts.get("7");
      await ctx.step("look", async () => (await ctx.client.posts.get("7")).data.text);
    });

    expect(entries.filter(({ kind }) => kind === "look")).toMatchObject([
      { kind: "look", name: "GET /2/posts/:id", value: { status: 200, body: { data: POST } } },
    ]);
  });

  it("is refused with a hint if its answer is too long to be stored", async () => {
    const body = { data: { ...POST, text: "a".repeat(100_001) } };
    const { error } = await asks((ctx) => ctx.client.posts.get("7"), {
      answer: { ok: true, status: 200, body },
    });

    expect(error).toMatch(
      /the answer of GET \/2\/posts\/:id has \d+ characters.*ask in a ctx\.step/,
    );
  });

  it("must not change anything: outside a step, no such request is sent", async () => {
    const { error, requests } = await asks((ctx) =>
      ctx.client.request({ method: "PUT", endpoint: "/2/webhooks/:id", path: { id: "1" } }),
    );

    expect(error).toContain("PUT /2/webhooks/:id changes something");
    expect(requests).toEqual([]);
  });
});

describe("an argument that no request can carry", () => {
  /** Does the same as JavaScript does without type checks. */
  const untyped = (value: unknown): never => value as never;
  const nulls = untyped(null);

  it.each<{ what: string; call: (ctx: BotContext) => Promise<unknown>; says: RegExp }>([
    {
      what: "a missing id",
      call: (ctx) => ctx.client.posts.get(untyped(undefined)),
      says: /GET \/2\/posts\/:id needs a value for :id, and got undefined/,
    },
    {
      what: "null as id",
      call: (ctx) => ctx.client.users.get(nulls),
      says: /GET \/2\/users\/:id needs a value for :id, and got null/,
    },
    {
      what: "an id that a number can't hold",
      call: (ctx) => ctx.client.users.get(untyped(2 ** 60)),
      says: /needs a value for :id, and got 11529215046068/,
    },
    {
      what: "null as parameter",
      call: (ctx) => ctx.client.dms.events({ paginationToken: nulls }),
      says: /GET \/2\/dm_events got null for pagination_token/,
    },
    {
      what: "null in a list",
      call: (ctx) => ctx.client.users.lookup(["1", nulls]),
      says: /GET \/2\/users got null for ids\[1\]/,
    },
    {
      what: "no time for the request",
      call: (ctx) => ctx.client.users.me({}, { timeoutMs: 0 }),
      says: /timeoutMs is 0; it is a number of milliseconds from 1/,
    },
    {
      what: "a negative time",
      call: (ctx) => ctx.client.users.me({}, { timeoutMs: -5 }),
      says: /timeoutMs is -5/,
    },
    {
      what: "an endless time",
      call: (ctx) => ctx.client.users.me({}, { timeoutMs: Infinity }),
      says: /timeoutMs is Infinity/,
    },
    {
      what: "a URL that is no text",
      call: (ctx) => ctx.client.dms.downloadMedia(nulls),
      says: /GET \/1\.1\/ton\S+ has an invalid url: Invalid input: expected string, received null/,
    },
  ])("is refused at once, also in a step: $what", async ({ call, says }) => {
    const inStep = (ctx: BotContext) => ctx.step("ask", async () => void (await call(ctx)));
    for (const handler of [call, inStep]) {
      const { error, requests } = await asks(handler);

      expect(error).toMatch(/^UsageError: /);
      expect(error).toMatch(says);
      expect(requests).toEqual([]);
    }
  });

  it("is refused in any request: an endpoint, a method, a body", async () => {
    const request = { method: "POST", endpoint: "/2/x" } as const;
    const refused = async (other: object): Promise<string | undefined> =>
      (await asks((ctx) => ctx.step("x", () => ctx.client.request({ ...request, ...other }))))
        .error;

    expect(await refused({ endpoint: "/2/x?y=z" })).toMatch(/put parameters into `query`/);
    expect(await refused({ endpoint: undefined })).toMatch(/the endpoint undefined is no path/);
    expect(await refused({ method: "PATCH" })).toMatch(/PATCH \/2\/x has an invalid method/);
    expect(await refused({ json: "text" })).toMatch(/POST \/2\/x has an invalid json/);
    expect(await refused({ raw: {} })).toMatch(/POST \/2\/x has an invalid raw\.body/);
  });

  it("becomes the same error when the handler runs again, since the look-up is recorded", async () => {
    const { entries } = await asks((ctx) => ctx.client.posts.get("").catch(() => {}));

    expect(entries).toMatchObject([
      { kind: "look", name: "GET /2/posts/:id", error: { name: "UsageError" } },
    ]);
  });
});

describe("the values of a look-up", () => {
  it("become text as in the platform client", async () => {
    const query = { ids: [1001, 1002n] as never, max_results: 5, since: new Date(0), on: true };
    const path = { id: 1001 as never };
    const { requests } = await asks((ctx) =>
      ctx.client.request({ method: "GET", endpoint: "/2/x/:id", path, query }),
    );

    expect(requests).toMatchObject([
      {
        path: { id: "1001" },
        query: {
          ids: "1001,1002",
          max_results: "5",
          since: "1970-01-01T00:00:00.000Z",
          on: "true",
        },
      },
    ]);
  });

  it("are written into a body as JSON has them, lists too", async () => {
    const send = (json: object) =>
      asks((ctx) =>
        ctx.step("x", () => ctx.client.request({ method: "POST", endpoint: "/2/x", json })),
      );
    const { requests } = await send({ at: new URL("https://a.example/"), none: undefined });

    expect(requests).toMatchObject([{ json: { at: "https://a.example/" } }]);
    expect((await send([{ a: 1 }])).requests).toMatchObject([{ json: [{ a: 1 }] }]);
  });
});
