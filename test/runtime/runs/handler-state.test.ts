import { describe, expect, expectTypeOf, it } from "vitest";
import { defineState } from "../../../src/bots/authoring.ts";
import { type Bot, type BotContext, defineBot } from "../../../src/bots/define.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { when } from "../../support/when.ts";
import { worldOfEach } from "./bot-world.ts";
import { handlersOf, loaded } from "./handlers-at-work.ts";

const world = worldOfEach(modelPlace);
const { said } = world;

const bot = (handler: (ctx: BotContext<"dm.received">) => Promise<void>): Bot =>
  defineBot({ name: "tester", on: { "dm.received": handler } });
const live = (one: Bot, rules?: string) =>
  world.live({ bots: [loaded(one)], handle: handlersOf(one), ...(rules && { rules }) });

const SCORE = defineState("score", { right: 0, total: 0 });
const VISITS = defineState("visits", 0);
const NICK = defineState<string>("nick");

describe("a typed value of state", () => {
  it("has its initial value until one is stored, and its type", async () => {
    const one = await live(
      bot(async (ctx) => {
        const visits = await ctx.state.update(VISITS, (before) => before + 1);
        const score = await ctx.state.get(SCORE);
        const nick = await ctx.state.get(NICK);
        expectTypeOf(visits).toEqualTypeOf<number>();
        expectTypeOf(score).toEqualTypeOf<{ right: number; total: number }>();
        expectTypeOf(nick).toEqualTypeOf<string | undefined>();
        await ctx.state.set(SCORE, { right: score.right + 1, total: score.total + 2 });
        await ctx.reply(`${visits} ${JSON.stringify(score)} ${nick}`);
      }),
    );
    await one.hears("1", "200", "hi");
    expect(await said(1)).toEqual(['1 {"right":0,"total":0} undefined']);
    await one.hears("2", "200", "hi");

    expect((await said(2))[1]).toBe('2 {"right":1,"total":2} undefined');
  });

  it("is the same value that rules read as state.sender.NAME", async () => {
    const rules = `version: 1
rules:
  - id: shows
    triggers: [dm.received]
    conditions: [{message.text: {equals: "show"}}]
    actions: [{reply_dm: {text: "you came \${{ state.sender.visits.orValue(0) }} times"}}]
`;
    const counter = bot(async (ctx) => {
      if (ctx.text === "show") return;
      await ctx.state.update(VISITS, (before) => before + 1);
    });
    const one = await live(counter, rules);
    await one.hears("1", "200", "hi");
    await world.rest();
    await one.hears("2", "200", "show");

    expect(await said(1)).toEqual(["you came 1 times"]);
  });

  it("is deleted by an update to undefined, and by delete", async () => {
    const one = await live(
      bot(async (ctx) => {
        if (ctx.text === "set") await ctx.state.set(NICK, "Ann");
        if (ctx.text === "unset") await ctx.state.update(NICK, () => undefined);
        if (ctx.text === "delete") await ctx.state.delete(NICK);
        await ctx.reply(`${await ctx.state.get(NICK)}`);
      }),
    );
    for (const [index, text] of ["set", "unset", "set", "delete"].entries()) {
      await one.hears(`${index}`, "200", text);
      await said(index + 1);
    }

    expect(await said(4)).toEqual(["Ann", "undefined", "Ann", "undefined"]);
  });
});

describe("a value that several handlers change at once", () => {
  it("lets each of them go on to its end", async () => {
    let begun = 0;
    let begin = (): void => {};
    const all = new Promise<void>((resolve) => (begin = resolve));
    const one = await live(
      bot(async (ctx) => {
        begun += 1;
        if (begun === 4) begin();
        // all handlers store their change in the same turn
        await all;
        await ctx.state.account.set("last", ctx.event.key);
        await ctx.step("after", () => {});
        await ctx.reply("done");
      }),
    );
    await Promise.all(["200", "300", "400", "500"].map((from) => one.hears(from, from, "hi")));

    expect(await said(4)).toEqual(["done", "done", "done", "done"]);
  });
});

describe("ctx.state.update", () => {
  it("loses no count when two people count in the same value at once", async () => {
    let begun = 0;
    const one = await live(
      bot(async (ctx) => {
        const total = await ctx.state.account.update("total", (before) => Number(before ?? 0) + 1);
        begun += 1;
        // both handlers have read the value before either ends
        await when(async () => (begun >= 2 ? true : undefined));
        await ctx.reply(JSON.stringify(total));
      }),
    );
    await Promise.all([one.hears("1", "200", "hi"), one.hears("2", "300", "hi")]);

    expect((await said(2)).toSorted()).toEqual(["1", "2"]);
    expect(begun).toBeGreaterThan(2);
  });

  it("loses no count when a simultaneous step ends before the update does", async () => {
    let begun = 0;
    let begin = (): void => {};
    const all = new Promise<void>((resolve) => (begin = resolve));
    const one = await live(
      bot(async (ctx) => {
        begun += 1;
        if (begun === 4) begin();
        await all;
        const [total] = await Promise.all([
          ctx.state.account.update("total", (before) => Number(before ?? 0) + 1),
          ctx.step("look", () => ctx.state.account.get("other")),
        ]);
        await ctx.step("after", () => {});
        await ctx.reply(JSON.stringify(total));
      }),
    );
    await Promise.all(["200", "300", "400", "500"].map((from) => one.hears(from, from, "hi")));

    expect((await said(4)).toSorted()).toEqual(["1", "2", "3", "4"]);
  });

  it.each([
    { change: () => Promise.resolve(1), says: "can't wait" },
    { change: () => new Date(0), says: "give plain data" },
    { change: "1", says: "a function of the value before" },
  ])("refuses a value that can't be stored: $says", async ({ change, says }) => {
    const one = await live(
      bot(async (ctx) => {
        // a JavaScript module may pass a value of any type
        const update: unknown = Reflect.get(ctx.state, "update");
        const result: unknown = typeof update === "function" ? update("v", change) : undefined;
        await Promise.resolve(result).catch((error: Error) => ctx.reply(error.message));
      }),
    );
    await one.hears("1", "200", "hi");

    expect((await said(1))[0]).toContain(says);
  });
});
