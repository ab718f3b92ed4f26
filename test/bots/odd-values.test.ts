import { homedir } from "node:os";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { createBot, defineBot, defineState } from "../../src/bots/authoring.ts";
import type { BotContext } from "../../src/bots/define.ts";
import type { AskedChange, Progress } from "../../src/bots/durable/record.ts";
import type { HandlerOutcome } from "../../src/bots/messages.ts";
import { endOfStep, errorOf } from "../../src/bots/durable/step-end.ts";
import { botClient } from "../../src/bots/platform/bot-client.ts";
import { readMessage } from "../../src/bots/read-message.ts";
import { runHandlers } from "../../src/bots/run-handlers.ts";
import { quotable } from "../../src/bots/thrown.ts";
import { createAnswerbackState } from "../../src/chat-sdk/state.ts";
import { duringTurn, Turn } from "../../src/chat-sdk/turn.ts";
import type { Json } from "../../src/protocol/json.ts";
import { UsageError } from "../../src/errors.ts";
import { messageReceived } from "../support/events.ts";
import { NOBODY_ANSWERS } from "../support/nobody-answers.ts";

vi.mock("node:os", async (original) => {
  const os = await original<typeof import("node:os")>();
  return { ...os, homedir: vi.fn(os.homedir) };
});

type Ctx = BotContext<"dm.received">;

/**
 * Runs a handler. `stored` is the value of every name of state. Returns the outcome as the host reads it, and all
 * entries, answers and changes.
 */
async function run(handler: (ctx: Ctx) => unknown, stored?: Json) {
  const allProgress: Progress[] = [];
  const outcome = await runHandlers(
    defineBot({ name: "tester", on: { "dm.received": async (ctx) => void (await handler(ctx)) } }),
    {
      bot: "tester",
      triggers: ["dm.received"],
      event: messageReceived({ text: "hi" }),
      account: { id: "100", username: "hello_bot" },
      now: 0,
      replayed: false,
      answered: false,
    },
    {
      ...NOBODY_ANSWERS,
      signal: new AbortController().signal,
      post: () => {},
      keep: async (progress) => void allProgress.push(structuredClone(progress)),
      read: async () => (stored === undefined ? { version: 0 } : { value: stored, version: 1 }),
      ask: async () => ({ ok: true, status: 200, body: { data: [1, 2, 3] } }),
      clientOver: () => botClient,
      beginning: (begin) => begin(),
    },
  );
  const read: HandlerOutcome = outcomeAtHost(outcome);
  const entries = [...allProgress, read].flatMap((progress) => progress.entries ?? []);
  const changes: readonly AskedChange[] = [...allProgress, read].flatMap(
    (one) => one.changes ?? [],
  );
  return {
    error: read.error,
    entries: entries.map(({ entry }) => entry),
    changes,
    texts: read.actions.map((action) => ("text" in action ? action.text : action.type)),
  };
}

/** Sends an outcome to the host as a thread does, and returns it as the host reads it. */
function outcomeAtHost(outcome: HandlerOutcome | undefined): HandlerOutcome {
  const message = readMessage(structuredClone({ type: "handled", token: "t", outcome }));
  if (message?.type !== "handled") throw new Error("the host can't read the outcome");
  return message.outcome;
}

/** A list within a list, and so on. */
const nested = (depth: number): readonly Json[] =>
  JSON.parse("[".repeat(depth) + "]".repeat(depth));

describe("a value that a handler changes in place", () => {
  it("is not the initial value of other people", async () => {
    const SCORE = defineState("score", { right: 0 });
    const raise = async (ctx: Ctx): Promise<void> => {
      const score = await ctx.state.get(SCORE);
      score.right += 1;
      await ctx.reply(`${score.right} right`);
    };

    expect((await run(raise)).texts).toEqual(["1 right"]);
    expect((await run(raise)).texts).toEqual(["1 right"]);
  });

  it("stays in the record as it was read", async () => {
    const { entries, changes } = await run(
      async (ctx) => {
        const score = await ctx.state.get<{ right: number }>({ name: "s", initial: { right: 0 } });
        score.right += 1;
        await ctx.state.set("s", score);
        await ctx.sleep("pause", "1m");
      },
      { right: 4 },
    );

    expect(entries[0]).toMatchObject({ kind: "get", value: { right: 4 } });
    expect(changes).toMatchObject([{ value: { right: 5 } }]);
  });

  it("does not change what the handler has stored before", async () => {
    const { changes } = await run(async (ctx) => {
      await ctx.state.set("list", ["a"]);
      const list = await ctx.state.get<string[]>({ name: "list", initial: [] });
      list.push("b");
    });

    expect(changes).toMatchObject([{ name: "list", value: ["a"] }]);
  });

  it("stays in the record as the platform has answered", async () => {
    const { entries } = await run(async (ctx) => {
      const { body } = await ctx.client.request({ method: "GET", endpoint: "/2/x" });
      if (Array.isArray(body["data"])) body["data"].reverse();
    });

    expect(entries).toMatchObject([{ kind: "look", value: { body: { data: [1, 2, 3] } } }]);
  });
});

it("updates of a value at the same time are all counted", async () => {
  const { changes, error } = await run(async (ctx) => {
    const add = async (n: number) => ctx.state.update("sum", (before) => Number(before ?? 0) + n);
    await Promise.all([add(1), ctx.state.update("sum", () => Number.NaN).catch(() => {}), add(2)]);
  });

  expect({ error, values: changes.map(({ value }) => value) }).toEqual({ values: [1, 3] });
});

describe("a change of state that returns null", () => {
  it("is refused, because the next read would return something else", async () => {
    const { error } = await run((ctx) =>
      ctx.state.update(defineState<string | null>("a", "b"), () => null),
    );

    expect(error).toContain('TypeError: the change of "a" returned null, which can\'t be stored');
  });

  it("deletes a value whose first value is null", async () => {
    const KEY = defineState<string | null>("a", null);
    const { error, changes } = await run((ctx) => ctx.state.update(KEY, () => null), "old");

    expect({ error, changes }).toMatchObject({ error: undefined, changes: [{ name: "a" }] });
    expect(changes[0]).not.toHaveProperty("value");
  });
});

describe("a duration of 0", () => {
  it.each([
    { call: "state.set", does: (ctx: Ctx) => ctx.state.set("a", 1, { for: "0s" }) },
    { call: "handOver", does: (ctx: Ctx) => ctx.handOver("help", { pauseBot: { for: "0m" } }) },
  ])("is refused by ctx.$call", async ({ does }) => {
    expect((await run(does)).error).toMatch(/TypeError: .* is longer than 0, got "0[sm]"/);
  });

  it("means no expiry in state of the Chat SDK, as in the state adapters of its authors", async () => {
    const set = (ttlMs?: number) =>
      run((ctx) =>
        duringTurn(new Turn("b", ctx), () => createAnswerbackState().set("key", 1, ttlMs)),
      );
    const { error, changes } = await set(0);

    expect({ error, values: changes.map(({ value }) => value) }).toEqual({ values: [{ v: 1 }] });
    expect(changes).toEqual((await set()).changes);
  });

  it("is refused as a maximum age", () => {
    expect(() => createBot("b", { maxAge: "0s" })).toThrow(/maxAge of the bot "b".*longer than 0/);
  });
});

describe("an error of a step that a handler catches when it runs again", () => {
  const failed = async (work: () => unknown) =>
    errorOf(structuredClone((await endOfStep("fetch", work)).storedEnd.error ?? never()));
  const never = () => {
    throw new Error("the step did not fail");
  };

  it("has the errors of all attempts", async () => {
    const refusal = new RangeError("no copy");
    const error = await failed(() => Promise.any([Promise.reject(refusal), Promise.reject("x")]));

    expect(error).toBeInstanceOf(AggregateError);
    expect(error).toMatchObject({
      name: "AggregateError",
      message: "All promises were rejected",
      errors: [{ name: "RangeError", message: "no copy" }, "x"],
    });
  });

  it("has up to twenty errors, and no errors of these errors", async () => {
    const inner = new AggregateError([new Error("deep")], "inner");
    const error = await failed(() => {
      throw new AggregateError(Array.from({ length: 30 }, () => inner));
    });

    expect(error).toMatchObject({
      errors: Array.from({ length: 20 }, () => ({ message: "inner" })),
    });
    expect(inspect(error, { depth: null })).not.toContain("deep");
  });
});

describe("values that are nested too deeply", () => {
  it.each([
    { call: "a step", does: (ctx: Ctx) => ctx.step("deep", () => nested(3_000)) },
    { call: "state", does: (ctx: Ctx) => ctx.state.set("deep", nested(3_000)) },
    { call: "a hand-over", does: (ctx: Ctx) => ctx.handOver("deep", { evidence: nested(101) }) },
  ])("are refused by $call", async ({ does }) => {
    expect((await run(does)).error).toMatch(/is nested deeper than 100/);
  });

  it("are accepted up to 100 levels", async () => {
    const { error, changes } = await run((ctx) => ctx.state.set("deep", nested(100)));

    expect({ error, changes: changes.length }).toEqual({ error: undefined, changes: 1 });
  });

  it("don't overflow the stack of the host in a message of a thread", () => {
    const outcome = { ok: true, value: nested(8_000) };

    expect(readMessage({ type: "called", token: "t", outcome })).toBeUndefined();
  });
});

describe("calls that are too many for one transaction", () => {
  const MANY = Array.from({ length: 101 }, (_, index) => index);
  const handOver = async (ctx: Ctx): Promise<void> => {
    for (const each of MANY) await ctx.handOver(`question ${each}`);
  };

  it.each([
    { where: "in the handler", does: handOver },
    { where: "in a step", does: (ctx: Ctx) => ctx.step("all", () => handOver(ctx)) },
  ])("are refused: hand-overs $where", async ({ does }) => {
    expect((await run(does)).error).toContain(
      "TypeError: a handler hands over 100 times at most for one event",
    );
  });
});

describe("an error of the client that code has changed", () => {
  it.each([
    { what: "its message", fields: { message: 5 } },
    { what: "its hint", fields: { hint: () => "none" } },
  ])("is recorded without its details: $what", async ({ fields }) => {
    const thrown = Object.assign(new UsageError("odd"), fields);
    const { entries } = await run((ctx) =>
      ctx.step("fails", () => Promise.reject(thrown)).catch(() => {}),
    );

    expect(entries[0]).toMatchObject({ error: { name: "UsageError" } });
    expect(entries[0]).not.toHaveProperty("error.fault");
  });
});

describe("the report of a thrown value", () => {
  it("has the errors behind a failed connection", async () => {
    const refused = ["::1", "127.0.0.1"].map((ip) => new Error(`connect ECONNREFUSED ${ip}:3000`));
    const cause = new AggregateError(refused);
    const { error } = await run(() => Promise.reject(new TypeError("fetch failed", { cause })));

    expect(error?.split("\n")[0]).toBe(
      "TypeError: fetch failed (because of AggregateError (because of Error: connect ECONNREFUSED ::1:3000; " +
        "Error: connect ECONNREFUSED 127.0.0.1:3000))",
    );
  });

  it("ends at an error that is its own cause", async () => {
    const error = new Error("round");
    error.cause = error;

    expect((await run(() => Promise.reject(error))).error).toMatch(
      /^Error: round \(because of Error: round\)(\n|$)/,
    );
  });

  it.each([
    { what: "a stack that is a list", thrown: Object.assign(new Error("odd"), { stack: [1] }) },
    { what: "a message that is an object", thrown: Object.assign(new Error(), { message: {} }) },
    {
      what: "a name that is a symbol",
      thrown: Object.assign(new Error("odd"), { name: Symbol() }),
    },
    { what: "no prototype", thrown: Object.create(null) },
    { what: "fields that are no JSON", thrown: Object.assign(new Error("odd"), { n: NaN, b: 1n }) },
    {
      what: "a cause that fails",
      thrown: Object.defineProperty(new Error("odd"), "cause", { get: () => JSON.parse("no") }),
    },
    {
      what: "a description that fails",
      thrown: { [Symbol.for("nodejs.util.inspect.custom")]: () => JSON.parse("no") },
    },
  ])("does not fail for $what, nor does the record of a step", async ({ thrown }) => {
    const rejects = () => Promise.reject(thrown);
    const { entries, texts } = await run(async (ctx) => {
      await ctx.step("fails", rejects).catch(() => ctx.reply("it failed"));
    });

    expect((await run(rejects)).error).toEqual(expect.any(String));
    expect(texts).toEqual(["it failed"]);
    expect(entries[0]).toMatchObject({ error: { message: expect.any(String) } });
  });

  it("is cut to 2,000 characters, because each failed run stores it", async () => {
    const error = new Error("<html>".repeat(100_000));

    expect((await run(() => Promise.reject(error))).error?.split("\n")[0]).toHaveLength(2_000);
    expect(quotable(error, "/bots/a.ts")).toHaveLength(2_000);
  });

  it("needs no home folder, since a container's user may have none", () => {
    vi.mocked(homedir).mockImplementationOnce(() => {
      throw new Error("uv_os_homedir returned ENOENT");
    });

    expect(quotable(new Error("no file /bots/menu.txt"), "/bots/a.ts")).toBe("no file menu.txt");
  });

  it("has the content of a thrown object, in the record of a step too", async () => {
    const { entries } = await run((ctx) => ctx.step("fails", () => Promise.reject({ code: 42 })));

    expect(entries[0]).toMatchObject({ error: { name: "Error", message: "{ code: 42 }" } });
  });
});

it("a look-up with a long endpoint is recorded", async () => {
  const endpoint = `/2/users/${"1234567890/".repeat(30)}` as const;
  const { error, entries } = await run((ctx) => ctx.client.request({ method: "GET", endpoint }));

  expect({ error, entries: entries.length }).toEqual({ error: undefined, entries: 1 });
});
