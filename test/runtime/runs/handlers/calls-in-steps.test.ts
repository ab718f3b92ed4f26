import { describe, expect, it } from "vitest";
import { type Bot, type BotContext, defineBot } from "../../../../src/bots/define.ts";
import { modelPlace } from "../../../simulation/store/model-place.ts";
import { worldOfEach } from "../bot-world.ts";
import { handlersOf, loaded } from "../handlers-at-work.ts";

const MINUTE = 60_000;
const world = worldOfEach(modelPlace);
const { said } = world;

type Ctx = BotContext<"dm.received">;

const bot = (handler: (ctx: Ctx) => Promise<void>): Bot =>
  defineBot({ name: "tester", on: { "dm.received": handler } });
const having = (one: Bot) => ({ bots: [loaded(one)], handle: handlersOf(one) });

describe("a step that reads and writes state", () => {
  it("counts once, and its run goes on after a restart while it sleeps", async () => {
    const pizzeria = bot(async (ctx) => {
      const n = await ctx.step("count", async () => {
        const before = Number((await ctx.state.get("orders")) ?? 0);
        await ctx.state.set("orders", before + 1);
        return before + 1;
      });
      await ctx.sleep("oven", "20m");
      await ctx.reply(`order ${n} is ready, of ${Number(await ctx.state.get("orders"))}`);
    });
    const one = await world.live(having(pizzeria));
    await one.hears("1", "200", "order");
    await world.runsAre("waiting");
    await world.restart(having(pizzeria));
    world.clock.advance(20 * MINUTE);
    world.bot.wake();

    expect(await said(1)).toEqual(["order 1 is ready, of 1"]);
    await world.runsAre("done");
  });
});
