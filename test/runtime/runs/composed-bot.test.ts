import { expect, it } from "vitest";
import { createBot, createComposer } from "../../../src/bots/authoring.ts";
import type { Bot } from "../../../src/bots/define.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { worldOfEach } from "./bot-world.ts";
import { handlersOf, loaded } from "./handlers-at-work.ts";

const world = worldOfEach(modelPlace);
const having = (bot: Bot) => ({ bots: [loaded(bot)], handle: handlersOf(bot) });

it("continues through the same parts after a restart, with the data that its middleware read", async () => {
  const looked: string[] = [];
  const booking = createComposer<{ visits: number }>().command("/book", async (ctx) => {
    const came = await ctx.ask("people", "For how many?", { timeout: "1h" });
    await ctx.reply(`${ctx.args[0]} for ${came?.text}, visit ${ctx.visits}`);
  });
  const bot = createBot<{ visits: number }>("desk")
    .use(async (ctx, next) => {
      ctx.visits = await ctx.step("visits", () => looked.push(ctx.event.key));
      await next();
      await ctx.reply("done");
    })
    .on("dm.received", booking)
    .toBot();
  const one = await world.live(having(bot));
  await one.hears("1", "200", "/book dinner");
  expect(await world.said(1)).toEqual(["For how many?"]);
  await world.runsAre("waiting");

  const next = await world.restart(having(bot));
  await next.hears("2", "200", "four");

  expect(await world.said(3)).toEqual(["For how many?", "dinner for four, visit 1", "done"]);
  expect(looked).toHaveLength(1);
});

it("calls its error handler for an error after a wait", async () => {
  const bot = createBot("desk")
    .hears("hi", async (ctx) => {
      await ctx.sleep("nap", "1m");
      throw new Error("overslept");
    })
    .onError(async (error, ctx) => ctx.reply(`sorry: ${String(error)}`))
    .toBot();
  const one = await world.live(having(bot));
  await one.hears("1", "200", "hi");
  await world.runsAre("waiting");
  world.clock.advance(60_000);
  one.wake();

  expect(await world.said(1)).toEqual(["sorry: Error: overslept"]);
  await world.runsAre("done");
});
