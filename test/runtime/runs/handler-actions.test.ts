import { describe, expect, it } from "vitest";
import { type Bot, type BotContext, defineBot } from "../../../src/bots/define.ts";
import type { Action } from "../../../src/actions/actions.ts";
import { when } from "../../support/when.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { worldOfEach } from "./bot-world.ts";
import { handlersOf, loaded } from "./handlers-at-work.ts";

const world = worldOfEach(modelPlace);
const { said } = world;

const bot = (handler: (ctx: BotContext<"dm.received">) => Promise<void>): Bot =>
  defineBot({ name: "tester", on: { "dm.received": handler } });
const having = (one: Bot) => ({ bots: [loaded(one)], handle: handlersOf(one) });
const actions = async (): Promise<readonly Action[]> =>
  (await world.store.items({ limit: 100 })).map(({ action }) => action);

describe("ctx.sendNow", () => {
  const hello = { type: "reply_dm", to: "200", text: "one moment" } as const;

  it("leaves while the handler goes on, and once though the handler is run again", async () => {
    let isHanging = true;
    const slow = bot(async (ctx) => {
      await ctx.reply("first");
      await ctx.sendNow(hello);
      await ctx.step("slow", async () => {
        if (isHanging) await new Promise(() => {});
      });
      await ctx.reply("done");
    });
    await (await world.live(having(slow))).hears("1", "200", "hi");
    expect(await said(2)).toEqual(["first", "one moment"]);
    isHanging = false;
    await world.restart(having(slow));

    expect(await said(3)).toEqual(["first", "one moment", "done"]);
    await world.rest();
    expect(await said(3)).toHaveLength(3);
  });

  it("keeps its place in the order of what goes on side by side", async () => {
    const order: string[] = [];
    const racing = bot(async (ctx) => {
      order.length = 0;
      await Promise.all([
        ctx.step("quick", () => 1).then(() => order.push("step")),
        ctx.sendNow(hello).then(() => order.push("sent")),
      ]);
      const before = order.join();
      await ctx.sleep("nap", "1m");
      await ctx.reply(`${before} ${order.join()}`);
    });
    const one = await world.live(having(racing));
    await one.hears("1", "200", "hi");
    await world.runsAre("waiting");
    const first = order.join();
    world.clock.advance(60_000);
    one.wake();

    expect((await said(2))[1]).toBe(`${first} ${first}`);
  });
});

describe("ctx.typing", () => {
  it("is a pause, each time it is called", async () => {
    const typist = bot(async (ctx) => {
      await ctx.typing();
      await ctx.reply("one");
      await ctx.typing("10s");
      await ctx.reply("two");
    });
    const one = await world.live(having(typist));
    await one.hears("1", "200", "hi");
    await world.runsAre("waiting");
    expect(await said(0)).toEqual([]);
    world.clock.advance(2_000);
    one.wake();
    expect(await said(1)).toEqual(["one"]);
    await world.runsAre("waiting");
    world.clock.advance(10_000);
    one.wake();

    expect(await said(2)).toEqual(["one", "two"]);
  });
});

describe("what is said", () => {
  it("goes with a picture beside the module, and as a post of the account's own", async () => {
    const speaker = bot(async (ctx) => {
      await ctx.reply({ text: "here", media: new URL("file:///srv/bots/map.png") });
      await ctx.post({ text: "look", media: "/srv/bots/map.mp4" });
      await ctx.post("hello all");
    });
    await (await world.live(having(speaker))).hears("1", "200", "hi");
    await when(async () => ((await actions()).length === 3 ? true : undefined));

    expect(await actions()).toEqual(
      expect.arrayContaining([
        { type: "reply_dm", to: "200", text: "here", media: "/srv/bots/map.png" },
        { type: "create_post", to: "100", text: "look", media: "/srv/bots/map.mp4" },
        { type: "create_post", to: "100", text: "hello all" },
      ]),
    );
  });

  it.each([
    { given: "", says: "ctx.reply takes a text of 1 character or more" },
    { given: { text: "a", media: "map.png" }, says: "a file beside the module" },
    { given: { text: "a", media: "/srv/map.txt" }, says: "no picture or video by its name" },
  ])("is refused where it can't be: $says", async ({ given, says }) => {
    const speaker = bot(async (ctx) => {
      await ctx.reply(given).catch((error: Error) => ctx.reply(error.message));
    });
    await (await world.live(having(speaker))).hears("1", "200", "hi");

    expect((await said(1))[0]).toContain(says);
  });
});
