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
        query: { "post.fields": ["lang"] },
        timeoutMs: 900,
      },
    ]);
  });

  it("uses the names of the platform's dialect", async () => {
    const look = (ctx: BotContext): Promise<unknown> =>
      ctx.client.posts.get("7", { postFields: ["lang"] });
    const { requests } = await asks(look, { dialect: "tweet" });

    expect(requests).toMatchObject([{ query: { "tweet.fields": ["lang"] } }]);
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
