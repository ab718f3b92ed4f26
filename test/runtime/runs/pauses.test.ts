import { beforeEach, describe, expect, it } from "vitest";
import { type Bot, type BotContext, defineBot } from "../../../src/bots/define.ts";
import { AccountPaused } from "../../../src/runtime/loop/account-paused.ts";
import type { EffectPerformer } from "../../../src/runtime/runs/effect.ts";
import { when } from "../../support/when.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { worldOfEach } from "./bot-world.ts";
import { handlersOf, loaded } from "./handlers-at-work.ts";
import type { Life, LifeNeeds } from "./lives.ts";

type Ctx = BotContext<"dm.received">;

const ANA = { id: "200", username: "ana", name: "Ana" };

const bot = (handler: (ctx: Ctx) => Promise<void>): Bot =>
  defineBot({ name: "tester", on: { "dm.received": handler } });

/** Promise that the test resolves by `open`. */
function newGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

const RULES = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    actions:
      - http: {method: POST, url: "https://a.example/a?\${{ message.text }}"}
      - http: {method: POST, url: "https://a.example/b?\${{ message.text }}"}
      - reply_dm: "done \${{ message.text }}"
`;

describe("while an account is paused, the worker", () => {
  const world = worldOfEach(modelPlace);
  const { said } = world;
  let isPaused = false;
  /** Texts of the events whose handlers were called, or URLs that were requested, in order. */
  let begun: string[] = [];
  let gate = newGate();
  beforeEach(() => {
    isPaused = false;
    begun = [];
    gate = newGate();
  });

  const live = (over: Partial<LifeNeeds>) => world.live({ isPaused: () => isPaused, ...over });
  const withBot = (one: Bot, over: Partial<LifeNeeds> = {}): Partial<LifeNeeds> => ({
    bots: [loaded(one)],
    handle: handlersOf(one),
    isPaused: () => isPaused,
    ...over,
  });
  const hears = async (life: Life, ...texts: readonly string[]): Promise<void> => {
    for (const text of texts) await life.hears(text, "200", text);
    await ready(texts.length);
  };
  const ready = (count: number) =>
    when(async () => ((await world.store.stats()).runs.ready === count ? true : undefined));
  const isBegun = (count: number) => when(() => (begun.length >= count ? true : undefined));
  /** Lets everything happen that needs only the store. */
  const idle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) {
      await world.store.stats();
      await new Promise(setImmediate);
    }
  };
  const resume = (life: Life): Promise<void> => {
    isPaused = false;
    return life.resumed();
  };
  const slow = bot(async (ctx) => {
    begun.push(ctx.text);
    if (ctx.text === "1") await gate.opened;
    await ctx.reply(`re ${ctx.text}`);
  });

  it("calls no further handler, and calls all of them in order after the pause", async () => {
    const life = await live(withBot(slow));
    await hears(life, "1", "2", "3", "4");
    await isBegun(1);
    isPaused = true;
    gate.open();
    await ready(3);
    await idle();
    expect(begun).toEqual(["1"]);

    await resume(life);
    expect(await said(4)).toEqual(["re 1", "re 2", "re 3", "re 4"]);
    expect(begun).toEqual(["1", "2", "3", "4"]);
  });

  it("calls the remaining handlers after a restart and the end of the pause", async () => {
    const life = await live(withBot(slow));
    await hears(life, "1", "2", "3");
    await isBegun(1);
    isPaused = true;
    gate.open();
    await ready(2);
    const next = await world.restart(withBot(slow));
    await idle();
    expect(begun).toEqual(["1"]);

    await resume(next);
    expect(await said(3)).toEqual(["re 1", "re 2", "re 3"]);
    expect(begun).toEqual(["1", "2", "3"]);
  });

  it("performs an effect once if the pause ends before an earlier one has", async () => {
    const life = await live(withBot(slow));
    await hears(life, "1", "2", "3");
    await isBegun(1);
    isPaused = true;
    await idle();
    await resume(life);
    gate.open();

    expect(await said(3)).toEqual(["re 1", "re 2", "re 3"]);
    expect(begun).toEqual(["1", "2", "3"]);
  });

  it("performs no effect again that ends while the pause's runs are being read", async () => {
    const { store } = world;
    const reading = newGate();
    const read: number[] = [];
    const openRuns: typeof store.openRuns = async (...query) => {
      const rows = await store.openRuns(...query);
      read.push(rows.length);
      if (rows.length > 0) await reading.opened;
      return rows;
    };
    const { partitions } = store;
    const life = await live(withBot(slow, { store: { ...store, partitions, openRuns } }));
    await hears(life, "1");
    await isBegun(1);
    isPaused = true;
    const resumed = resume(life);
    await when(() => (read.includes(1) ? true : undefined));
    gate.open();
    await ready(0);
    reading.open();
    await resumed;
    await idle();

    expect(await said(1)).toEqual(["re 1"]);
    expect(begun).toEqual(["1"]);
  });

  it("decides newer events only after the runs from before the pause", async () => {
    const { store } = world;
    const reading = newGate();
    const openRuns: typeof store.openRuns = async (...query) => {
      if (begun.length > 0) await reading.opened;
      return store.openRuns(...query);
    };
    const { partitions } = store;
    const life = await live(withBot(slow, { store: { ...store, partitions, openRuns } }));
    await hears(life, "1", "2");
    await isBegun(1);
    isPaused = true;
    gate.open();
    await ready(1);
    await life.hears("3", "200", "3");
    const resumed = resume(life);
    life.wake();
    await idle();
    expect(begun).toEqual(["1"]);

    reading.open();
    await resumed;
    expect(await said(3)).toEqual(["re 1", "re 2", "re 3"]);
  });

  it("sends no further request of a rule", async () => {
    const request: EffectPerformer["request"] = async ({ url }) => {
      begun.push(url.slice("https://a.example/".length));
      if (begun.length === 1) await gate.opened;
      return { ok: true, status: 200, text: "" };
    };
    const life = await live({ rules: RULES, request });
    await hears(life, "1", "2", "3");
    await isBegun(1);
    isPaused = true;
    gate.open();
    await idle();
    expect(begun).toEqual(["a?1"]);

    await resume(life);
    const texts = await said(3);
    expect(texts.toSorted()).toEqual(["done 1", "done 2", "done 3"]);
    expect(begun.toSorted()).toEqual(["a?1", "a?2", "a?3", "b?1", "b?2", "b?3"]);
  });

  describe("a handler that is under way", () => {
    /** Answers like the platform, except during the pause. */
    const ask: EffectPerformer["ask"] = async (_effect, { method, endpoint }) => {
      if (isPaused) throw new AccountPaused("100");
      begun.push(`${method} ${endpoint}`);
      return { ok: true, status: 200, body: { data: ANA } };
    };
    const asking = (handler: (ctx: Ctx) => Promise<void>) => withBot(bot(handler), { ask });

    it("ends when it asks the platform, and runs again from its record after the pause", async () => {
      const life = await live(
        asking(async (ctx) => {
          await ctx.step("cook", () => void begun.push("cook"));
          await gate.opened;
          const { data } = await ctx.client.users.get(ctx.sender.id);
          await ctx.reply(`re ${data.name}`);
        }),
      );
      await hears(life, "1");
      await isBegun(1);
      isPaused = true;
      gate.open();
      await idle();
      expect(begun).toEqual(["cook"]);

      await resume(life);
      expect(await said(1)).toEqual(["re Ana"]);
      expect(begun).toEqual(["cook", "GET /2/users/:id"]);
      await world.runsAre("done");
    });

    it("begins no step that may run at most once if it would ask the platform", async () => {
      const life = await live(
        asking(async (ctx) => {
          begun.push(ctx.text);
          await ctx.reply("before");
          await gate.opened;
          const pay = async () => (await ctx.client.users.get(ctx.sender.id)).data.name;
          const name = await ctx.step("pay", pay, { atMostOnce: true });
          await ctx.reply(`re ${name}`);
        }),
      );
      await hears(life, "1");
      await isBegun(1);
      isPaused = true;
      gate.open();
      await idle();
      await resume(life);

      expect(await said(2)).toEqual(["before", "re Ana"]);
      expect(begun).toEqual(["1", "1", "GET /2/users/:id"]);
    });

    it("waits with a request inside a step that may run at most once", async () => {
      const life = await live(
        asking(async (ctx) => {
          const pay = async () => {
            begun.push("pay");
            await gate.opened;
            return (await ctx.client.users.get(ctx.sender.id)).data.name;
          };
          await ctx.reply(await ctx.step("pay", pay, { atMostOnce: true }));
        }),
      );
      await hears(life, "1");
      await isBegun(1);
      isPaused = true;
      gate.open();
      await idle();
      await resume(life);

      expect(await said(1)).toEqual(["Ana"]);
      expect(begun).toEqual(["pay", "GET /2/users/:id"]);
    });

    it("finishes if it only sends, and its answer leaves once", async () => {
      const life = await live(
        asking(async (ctx) => {
          begun.push(ctx.text);
          await gate.opened;
          const { status } = await ctx.sendNow({ type: "reply_dm", to: "200", text: "now" });
          await ctx.reply(status);
        }),
      );
      await hears(life, "1");
      await isBegun(1);
      isPaused = true;
      gate.open();
      await when(async () => ((await world.store.stats()).items.pending === 1 ? true : undefined));
      await resume(life);

      expect(await said(2)).toEqual(["now", "sent"]);
      expect(begun).toEqual(["1"]);
    });
  });
});
