import { describe, expect, it } from "vitest";
import { type BotContext, defineBot } from "../../src/bots/define.ts";
import type { HandlerRecord, Progress } from "../../src/bots/durable/record.ts";
import { runHandlers } from "../../src/bots/run-handlers.ts";
import { messageReceived } from "../support/events.ts";
import { NOBODY_ANSWERS } from "../support/nobody-answers.ts";

type Ctx = BotContext<"dm.received">;

/** Runs a handler with the record of an earlier version, in which a step's calls look like calls outside steps. */
async function goesOn(handler: (ctx: Ctx) => Promise<void>, record: HandlerRecord) {
  const bot = defineBot({ name: "tester", on: { "dm.received": handler } });
  const stored: Progress[] = [];
  const outcome = await runHandlers(
    bot,
    {
      bot: "tester",
      triggers: ["dm.received"],
      event: messageReceived({ text: "hi" }),
      account: { id: "100", username: "hello_bot" },
      now: 0,
      replayed: false,
      answered: false,
      record,
    },
    {
      ...NOBODY_ANSWERS,
      signal: new AbortController().signal,
      post: () => {},
      keep: async (progress) => void stored.push(progress),
      read: async () => ({ value: 7, version: 3 }),
      outcome: async () => ({ status: "sent", at: 1 }),
      beginning: (begin) => begin(),
    },
  );
  const actions = [...stored.flatMap((progress) => progress.actions), ...(outcome?.actions ?? [])];
  const changes = [...stored.flatMap((progress) => progress.changes), ...(outcome?.changes ?? [])];
  const texts = actions.map((action) => ("text" in action ? action.text : action.type));
  return { texts, changes, error: outcome?.error };
}

const slept = { ms: 60_000, since: 0, until: 60_000, at: 60_000 } as const;
const inner = [
  { kind: "get", name: "sender.orders", settled: 1 },
  { kind: "set", name: "sender.orders" },
] as const;
const count = async ({ state }: Ctx): Promise<number> => {
  const n = Number((await state.get("orders")) ?? 0) + 1;
  await state.set("orders", n);
  return n;
};

describe("a record from a version that did not store calls with their step", () => {
  it("continues after a step that has read and written state", async () => {
    const end = await goesOn(
      async (ctx) => {
        const n = await ctx.step("count", () => count(ctx));
        await ctx.sleep("oven", "20m");
        await ctx.reply(`order ${n}`);
      },
      [
        { kind: "step", name: "count", settled: 2, value: 1 },
        ...inner,
        { kind: "sleep", name: "oven", settled: 3, ...slept },
      ],
    );

    expect(end).toEqual({ texts: ["order 1"], changes: [], error: undefined });
  });

  it("returns values that the handler itself has read, not those that its step has read", async () => {
    const end = await goesOn(
      async (ctx) => {
        await ctx.step("count", () => count(ctx));
        const own = await ctx.state.get("orders");
        await ctx.sleep("oven", "20m");
        await ctx.reply(`${Number(own)}`);
      },
      [
        { kind: "step", name: "count", settled: 2, value: 1 },
        ...inner,
        { kind: "get", name: "sender.orders", settled: 3, value: 1 },
        { kind: "sleep", name: "oven", settled: 4, ...slept },
      ],
    );

    expect(end.texts).toEqual(["1"]);
  });

  it("distinguishes calls beside a step from calls in the step", async () => {
    const end = await goesOn(
      async (ctx) => {
        const [, mood] = await Promise.all([
          ctx.step("count", () => count(ctx)),
          ctx.state.get("mood"),
        ]);
        await ctx.reply(JSON.stringify(mood));
        await ctx.sleep("oven", "20m");
        await ctx.reply("done");
      },
      [
        { kind: "step", name: "count", settled: 3, value: 1 },
        ...inner,
        { kind: "get", name: "sender.mood", settled: 2, value: "good" },
        { kind: "act", name: "reply_dm" },
        { kind: "sleep", name: "oven", settled: 4, ...slept },
      ],
    );

    expect(end).toEqual({ texts: ["done"], changes: [], error: undefined });
  });

  it("skips a recorded step with its answers", async () => {
    const end = await goesOn(
      async (ctx) => {
        await ctx.step("outer", async () => {
          await ctx.reply("in it");
          await ctx.step("inner", () => 1);
        });
        await ctx.step("next", () => 2);
        await ctx.reply("done");
      },
      [
        { kind: "step", name: "outer", settled: 2 },
        { kind: "act", name: "reply_dm" },
        { kind: "step", name: "inner", settled: 1, value: 1 },
        { kind: "step", name: "next", settled: 3, value: 2 },
      ],
    );

    expect(end).toEqual({ texts: ["done"], changes: [], error: undefined });
  });

  it("does nothing twice in an interrupted step", async () => {
    const done: string[] = [];
    const end = await goesOn(
      async (ctx) => {
        await ctx.step("outer", async () => {
          await count(ctx);
          const { status } = await ctx.sendNow({ type: "reply_dm", to: "200", text: "now" });
          await ctx.step("inner", () => done.push("inner"));
          done.push(status);
        });
        await ctx.reply("done");
      },
      [
        { kind: "step", name: "outer" },
        ...inner,
        { kind: "act", name: "reply_dm", now: true, item: "one" },
        { kind: "step", name: "inner", settled: 2, value: 1 },
      ],
    );

    expect(end).toEqual({ texts: ["done"], changes: [], error: undefined });
    expect(done).toEqual(["sent"]);
  });

  it("fails if a recorded wait is missing", async () => {
    const { error } = await goesOn(
      async (ctx) => void (await ctx.step("count", () => 1)),
      [
        { kind: "step", name: "count", settled: 2, value: 1 },
        ...inner,
        { kind: "sleep", name: "oven", settled: 3, ...slept },
      ],
    );

    expect(error).toContain('the handler ended where the run has ctx.sleep("oven") on record');
  });
});
