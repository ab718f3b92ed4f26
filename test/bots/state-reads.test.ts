import { expect, it } from "vitest";
import { type BotContext, defineBot } from "../../src/bots/define.ts";
import type { AskedChange } from "../../src/bots/durable/record.ts";
import { runHandlers } from "../../src/bots/run-handlers.ts";
import { messageReceived } from "../support/events.ts";
import { NOBODY_ANSWERS } from "../support/nobody-answers.ts";

/** Runs a handler while another run raises the stored value before each read, and returns the handler's changes. */
async function changesOf(handler: (ctx: BotContext<"dm.received">) => Promise<void>) {
  let reads = 0;
  const changes: AskedChange[] = [];
  const outcome = await runHandlers(
    defineBot({ name: "tester", on: { "dm.received": handler } }),
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
      keep: async (progress) => void changes.push(...progress.changes),
      read: async () => ({ value: 10 * ++reads, version: reads }),
      outcome: async () => ({ status: "sent", at: 1 }),
      beginning: (begin) => begin(),
    },
  );
  expect(outcome?.error).toBeUndefined();
  return [...changes, ...(outcome?.changes ?? [])];
}

it("a value that a handler reads again is the one that it has read before, with its version", async () => {
  const values: unknown[] = [];
  const changes = await changesOf(async ({ state }) => {
    const first = await state.get("orders");
    values.push(first, await state.get("orders"));
    await state.set("orders", Number(first) + 1);
  });

  expect(values).toEqual([10, 10]);
  expect(changes).toMatchObject([{ name: "orders", value: 11, version: 1 }]);
});

it("a step reads the stored value again, and its change has the version that the step has read", async () => {
  const changes = await changesOf(async (ctx) => {
    await ctx.state.get("orders");
    await ctx.step("count", () => ctx.state.update("orders", (before) => Number(before) + 1));
  });

  expect(changes).toMatchObject([{ name: "orders", value: 21, version: 2 }]);
});

it("a read in a step does not make an older value of the handler count as the stored one", async () => {
  const changes = await changesOf(async (ctx) => {
    const first = await ctx.state.get("orders");
    await ctx.step("look", () => ctx.state.get("orders"));
    await ctx.state.set("orders", Number(first) + 1);
  });

  expect(changes).toMatchObject([{ name: "orders", value: 11, version: 1 }]);
});

it("a value is read again after the handler's own change of it was stored", async () => {
  const values: unknown[] = [];
  await changesOf(async (ctx) => {
    await ctx.state.get("orders");
    await ctx.state.set("orders", 5);
    await ctx.step("pause", () => {});
    values.push(await ctx.state.get("orders"));
  });

  expect(values).toEqual([20]);
});
