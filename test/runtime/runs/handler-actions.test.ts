import { describe, expect, it } from "vitest";
import { type Bot, type BotContext, defineBot } from "../../../src/bots/define.ts";
import type { Action } from "../../../src/actions/actions.ts";
import { StepCutOffError } from "../../../src/bots/durable/step-end.ts";
import { when } from "../../support/when.ts";
import * as wire from "../../support/wire.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { worldOfEach } from "./bot-world.ts";
import type { EffectPerformer } from "../../../src/runtime/runs/effect.ts";
import { folderPlace } from "../store/place.ts";
import { handlersOf, loaded } from "./handlers-at-work.ts";
import { walk } from "./walk.ts";

const world = worldOfEach(modelPlace);
const { said } = world;

const bot = (handler: (ctx: BotContext<"dm.received">) => Promise<void>): Bot =>
  defineBot({ name: "tester", on: { "dm.received": handler } });
const having = (one: Bot) => ({ bots: [loaded(one)], handle: handlersOf(one) });
const actions = async (): Promise<readonly Action[]> =>
  (await world.store.items({ limit: 100 })).map(({ action }) => action);

describe("ctx.sendNow", () => {
  const hello = { type: "reply_dm", to: "200", text: "one moment" } as const;

  it("sends while the handler continues, and once even if the handler runs again", async () => {
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

  it("keeps its order among concurrent calls", async () => {
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

describe("the result of ctx.sendNow", () => {
  const hello = { type: "reply_dm", to: "200", text: "hello" } as const;
  const teller = bot(async (ctx) => {
    const outcome = await ctx.sendNow(hello);
    await ctx.sleep("nap", "1m");
    await ctx.step("told", () => JSON.stringify(outcome));
    await ctx.reply(JSON.stringify(outcome));
  });
  const toldTexts = async (count: number) => {
    await world.runsAre("waiting");
    world.clock.advance(60_000);
    world.bot.wake();
    return JSON.parse((await said(count)).at(-1) ?? "");
  };

  it("is the created object, also when the handler runs again in another process", async () => {
    await (await world.live(having(teller))).hears("1", "200", "hi");
    await world.runsAre("waiting");
    const [item] = await world.store.items({ limit: 1 });
    await world.restart(having(teller));

    const { key: id, settledAt: at } = { settledAt: undefined, ...item };
    const result = { message_id: id, conversation_id: "100-200" };
    expect(await toldTexts(2)).toEqual({ status: "sent", id, text: "hello", result, at });
  });

  it("is awaited again by the next process, and sent once", async () => {
    const one = await world.live(having(teller));
    await one.hears("1", "200", "hi");
    await when(async () => ((await actions()).length === 1 ? true : undefined));
    await world.restart(having(teller));

    expect(await toldTexts(2)).toMatchObject({ status: "sent", text: "hello" });
    expect(world.platform.map(({ text }) => text)).toEqual(["hello", expect.any(String)]);
  });

  it("is the platform's reason for a refusal", async () => {
    const one = await world.live(having(teller));
    await one.hears("1", "200", "hi");
    await when(async () => ((await actions()).length === 1 ? true : undefined));
    await one.refuses("they take no messages");

    expect(await toldTexts(1)).toEqual({ status: "failed", reason: "they take no messages" });
  });

  it("says that the answer is held back if it exceeds a limit", async () => {
    const replies = { max: 1, inMs: 600_000, written: "1 in 10m" };
    const talker = bot(async (ctx) => {
      const all = [];
      for (const text of ["one", "two"]) all.push(await ctx.sendNow({ ...hello, text }));
      await ctx.post(all.map(({ status }) => status).join());
    });
    const restraints = { limitsOf: () => ({ replies }) };
    const one = await world.live({ ...having(talker), restraints });
    await one.hears("1", "200", "hi");

    expect(await said(2)).toEqual(["one", "sent,held"]);
  });

  it("says that the answer is pending when the time for it is over", async () => {
    const hasty = bot(async (ctx) => {
      const { status } = await ctx.sendNow(hello, { timeout: "0s" });
      await ctx.reply(status);
    });
    await (await world.live(having(hasty))).hears("1", "200", "hi");

    await when(async () => ((await actions()).length === 2 ? true : undefined));
    expect(await said(2)).toEqual(["hello", "pending"]);
  });
});

describe("a handler that sends at once, looks up and hands over", () => {
  const ask: EffectPerformer["ask"] = async (_effect, { method, endpoint }) => {
    const data = { id: "200", username: "ana", name: "Ana" };
    return { ok: true, status: 200, body: { data, asked: `${method} ${endpoint}` } };
  };
  const helper = bot(async (ctx) => {
    const { data } = await ctx.client.users.get(ctx.sender.id);
    const { status } = await ctx.sendNow({ type: "reply_dm", to: "200", text: data.name });
    await ctx.handOver("look here", { pauseBot: { for: "12h" } });
    await ctx.step("told", () => status);
    await ctx.reply(status);
  });
  const story = { ...having(helper), ask, script: ["hi"], texts: ["Ana", "sent"], runs: ["done"] };

  it("continues from every write as if nothing had happened", async () => {
    expect(await walk({ ...story, escalations: 1 }, modelPlace, 1)).toBeGreaterThan(8);
  });

  it("does so on the disk", async () => {
    expect(await walk({ ...story, escalations: 1 }, folderPlace, 4)).toBeGreaterThan(8);
  });
});

describe("an at-most-once step", () => {
  it("is not repeated after a crash interrupted it, and reports that, also later", async () => {
    let begun = 0;
    const payer = bot(async (ctx) => {
      const pay = async () => {
        begun += 1;
        if (begun === 1) await new Promise(() => {});
        return "paid";
      };
      const tell = (error: unknown): string =>
        error instanceof StepCutOffError ? error.message : "failed";
      const outcome = await ctx.step("pay", pay, { atMostOnce: true }).catch(tell);
      await ctx.sleep("nap", "1m");
      await ctx.reply(outcome);
    });
    await (await world.live(having(payer))).hears("1", "200", "hi");
    await when(() => (begun === 1 ? true : undefined));
    await world.restart(having(payer));
    await world.runsAre("waiting");
    const one = await world.restart(having(payer));
    world.clock.advance(60_000);
    one.wake();

    expect((await said(1))[0]).toMatch(
      /ctx\.step\("pay"\) was cut off.*it may have been done, or not/,
    );
    expect(begun).toBe(1);
  });
});

describe("ctx.handOver", () => {
  const pauseBot = { for: "12h", until: "resolved" } as const;

  it("asks a person to take over, with the necessary information, once even if it runs again", async () => {
    const unsure = bot(async (ctx) => {
      const evidence = { said: ctx.text };
      await ctx.handOver("can't tell", { queue: "support", priority: "high", evidence, pauseBot });
      await ctx.reply("A person takes over.");
      await ctx.sleep("nap", "1m");
      await ctx.reply("still there?");
    });
    const one = await world.live(having(unsure));
    await one.hears("1", "200", "hi");
    await world.runsAre("waiting");
    await one.hears("2", "200", "anybody?");
    world.clock.advance(60_000);
    await world.restart(having(unsure));

    expect(await said(2)).toEqual(["A person takes over.", "still there?"]);
    await world.rest();
    expect(await said(2)).toHaveLength(2);
    expect(await world.store.escalations({ limit: 10 })).toMatchObject([
      {
        queue: "support",
        priority: "high",
        note: "can't tell",
        evidence: { said: "hi" },
        lane: "100/200",
        silences: { scope: "100/200", untilResolved: true },
      },
    ]);
  });

  it("pauses the bot until it is resolved, even if it has a time limit, over a restart", async () => {
    const unsure = bot(async (ctx) => {
      if (ctx.text !== "help") return ctx.reply("here I am");
      await ctx.handOver("unclear", { pauseBot: { for: "12h" } });
    });
    const one = await world.live(having(unsure));
    await one.hears("1", "200", "help");
    await world.runsAre("done");
    await one.hears("2", "200", "hello?");
    await world.rest();
    expect(await said(0)).toEqual([]);

    await world.store.resolveEscalation(1, world.clock.now());
    const again = await world.restart(having(unsure));
    await again.hears("3", "200", "hello?");
    expect(await said(1)).toEqual(["here I am"]);
  });

  it("uses the queue of the bot's name by default, and pauses nobody unless it says so", async () => {
    const unsure = bot((ctx) => ctx.handOver("look here"));
    const one = await world.live(having(unsure));
    await one.hears("1", "200", "hi");
    await world.runsAre("done");

    const [escalation] = await world.store.escalations({ limit: 1 });
    expect(escalation).toMatchObject({ queue: "tester", priority: "normal", note: "look here" });
    expect(escalation).not.toHaveProperty("silences");
  });

  it.each([
    { note: "", options: {}, says: "takes what a person should know" },
    { note: "a", options: { queue: "a b" }, says: "the queue of ctx.handOver is up to 64 letters" },
    { note: "a", options: { pauseBot: {} }, says: "pauseBot does not say how long" },
  ])("is refused with a message: $says", async ({ note, options, says }) => {
    const unsure = bot(async (ctx) => {
      await ctx.handOver(note, options).catch((error: Error) => ctx.reply(error.message));
    });
    await (await world.live(having(unsure))).hears("1", "200", "hi");

    expect((await said(1))[0]).toContain(says);
  });
});

describe("ctx.typing", () => {
  it("is a pause, at each call", async () => {
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

describe("two handlers of a bot for the same event", () => {
  it("may name their calls alike", async () => {
    const asks = async (ctx: BotContext<"post.mentioned" | "post.replied">): Promise<void> => {
      await ctx.typing("1s");
      const size = await ctx.step("size", () => ctx.trigger);
      await ctx.sleep("nap", "1s");
      await ctx.reply(size);
    };
    const both = defineBot({
      name: "tester",
      on: { "post.mentioned": (ctx) => asks(ctx), "post.replied": (ctx) => asks(ctx) },
    });
    const one = await world.live(having(both));
    const inReplyTo = { postId: "8001", userId: "100" };
    const at = world.clock.now();
    await one.takes(wire.post({ mentions: ["100"], inReplyTo, at }), "webhook");
    await when(async () => {
      world.clock.advance(1_000);
      one.wake();
      await one.sends();
      const { inbox, runs } = await world.store.stats();
      return inbox + runs.ready + runs.waiting === 0 || undefined;
    });

    expect((await said(0)).toSorted()).toEqual(["post.mentioned", "post.replied"]);
  });
});

describe("an answer of a handler", () => {
  it("may have a picture from beside the module, and be a post of the account", async () => {
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
    { value: "", says: "ctx.reply takes a text of 1 character or more" },
    { value: { text: "a", media: "map.png" }, says: "a file beside the module" },
    { value: { text: "a", media: "/srv/map.txt" }, says: "no picture or video by its name" },
  ])("is refused with a message: $says", async ({ value, says }) => {
    const speaker = bot(async (ctx) => {
      await ctx.reply(value).catch((error: Error) => ctx.reply(error.message));
    });
    await (await world.live(having(speaker))).hears("1", "200", "hi");

    expect((await said(1))[0]).toContain(says);
  });

  const poll = { options: ["Tea", "Coffee"], durationMinutes: 60 };
  it.each<{ call: "reply" | "ask" | "post"; option: object; says: string }>([
    { call: "reply", option: { poll }, says: 'not poll: write ctx.send({ type: "reply_post", …' },
    { call: "reply", option: { replySettings: "following" }, says: "not replySettings: write" },
    { call: "ask", option: { poll }, says: 'not poll: write ctx.send({ type: "reply_post", …' },
    { call: "post", option: { long: "cut" }, says: 'not long: write ctx.send({ type: "create_' },
  ])("of ctx.$call is refused if it has an option that is not sent: $says", async (one) => {
    const speaker = bot(async (ctx) => {
      // the type accepts further fields of a variable
      const value = { text: "Tea or coffee?", media: "/srv/bots/map.png", ...one.option };
      const calls: Readonly<Record<typeof one.call, () => Promise<unknown>>> = {
        reply: () => ctx.reply(value),
        post: () => ctx.post(value),
        ask: () => ctx.ask("which", value, { timeout: "1m" }),
      };
      const refused: unknown = await calls[one.call]().catch((error: unknown) => error);
      await ctx.reply(String(refused));
    });
    await (await world.live(having(speaker))).hears("1", "200", "hi");

    expect((await said(1))[0]).toContain(`TypeError: ctx.${one.call} takes`);
    expect((await said(1))[0]).toContain(one.says);
  });
});
