import { describe, expect, it } from "vitest";
import orderStatus from "../../../examples/order-status/bots/order-status.ts";
import { type Bot, type BotContext, defineBot } from "../../../src/bots/define.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { handClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import type { Place } from "../store/contract.ts";
import { folderPlace } from "../store/place.ts";
import { handlersOf, loaded } from "./handlers-at-work.ts";
import { worldOfEach } from "./bot-world.ts";
import { type Life, type LifeNeeds, liveOn, type Said } from "./lives.ts";

const MINUTE = 60_000;
const RULES = `version: 1
rules:
  - id: human
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: [human, agent]}}]
    actions: [{reply_dm: A person is on the way.}]
  - id: hello
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hello}}]
    actions: [{reply_dm: Hello!}]
`;
const QUESTION = "Sure. What's your order number? (for example #A12345)";
const AGAIN = "Hmm, that doesn't look like an order number. It starts with a letter, like A12345.";
const FOUND = "A12345 is shipped, expected Friday.";

const world = worldOfEach(modelPlace, { rules: RULES });
const { said, runsAre } = world;

const having = (bots: readonly Bot[]): Partial<LifeNeeds> => ({
  bots: bots.map(loaded),
  handle: handlersOf(...bots),
});
const live = (...bots: readonly Bot[]) => world.live(having(bots));
const restart = (...bots: readonly Bot[]) => world.restart(having(bots));
/** Waits until the question has been sent and the timeout for its answer has started. */
const isAsking = (): Promise<true> =>
  when(async () => {
    await world.bot.sends();
    const [listener] = await world.store.listeners("100/200");
    return listener?.run.waitsFor?.includes("/waits#") === true ? true : undefined;
  });

/** Waits until the run waits for an item or timer whose key or id ends with `name`. */
const waitsFor = (name: string): Promise<true> =>
  when(async () => {
    const [listener] = await world.store.listeners("100/200");
    return listener?.run.waitsFor?.endsWith(name) === true ? true : undefined;
  });
/** Returns the stored record of the run that listens; empty if none does. */
const recorded = async (): Promise<string> =>
  (await world.store.listeners("100/200"))[0]?.run.body ?? "";

describe("a conversation of a bot", () => {
  it("asks, asks again, looks up, answers and waits for thanks", async () => {
    const bot = await live(orderStatus);
    await bot.hears("1", "200", "where is my order");
    expect(await said(1)).toEqual([QUESTION]);
    await bot.hears("2", "200", "dunno");
    expect(await said(2)).toEqual([QUESTION, AGAIN]);
    await bot.hears("3", "200", "#a12345");
    expect((await said(3)).at(-1)).toBe(FOUND);
    await isAsking();
    await bot.hears("4", "200", "thanks!");
    expect((await said(4)).at(-1)).toBe("You're welcome!");

    await runsAre("done");
    expect(await world.store.listeners("100/200")).toEqual([]);
  });

  it("receives its answers: they start neither a rule nor the bot again, and other bots receive them", async () => {
    const heard: string[] = [];
    const other = defineBot({
      name: "other",
      on: { "dm.received": (ctx) => void heard.push(`${ctx.event.message.text} ${ctx.answered}`) },
    });
    const bot = await live(orderStatus, other);
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "200", "hello, order status A12345");

    expect((await said(2)).at(-1)).toBe(FOUND);
    const [row] = await world.store.journal({ limit: 1 });
    expect(JSON.parse(row?.decision ?? "")).toMatchObject({ takenBy: "1/bot:order-status" });
    expect(heard).toEqual(["order status false", "hello, order status A12345 true"]);
  });

  it("ignores messages that fail its conditions; they start rules as usual", async () => {
    const bot = await live(orderStatus);
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "200", "A12345");
    await said(2);
    await isAsking();
    await bot.hears("3", "200", "hello");

    expect((await said(3)).at(-1)).toBe("Hello!");
    await bot.hears("4", "200", "thank you");
    expect((await said(4)).at(-1)).toBe("You're welcome!");
  });

  it("continues to wait while a rule that interrupts answers", async () => {
    const bot = await live(orderStatus);
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "200", "a human please");

    expect((await said(2)).at(-1)).toBe("A person is on the way.");
    await bot.hears("3", "200", "A12345");
    expect((await said(3)).at(-1)).toBe(FOUND);
  });

  it("accepts answers before its question is sent", async () => {
    const bot = await live(orderStatus);
    await bot.hears("1", "200", "order status");
    await when(async () => ((await world.store.items({ limit: 1 })).length > 0 ? true : undefined));
    expect(await world.store.listeners("100/200")).toHaveLength(1);
    await bot.hears("2", "200", "A12345");

    expect(await said(2)).toEqual([QUESTION, FOUND]);
  });

  it("involves one person only", async () => {
    const bot = await live(orderStatus);
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "300", "hello, A12345");

    expect((await said(2)).at(-1)).toBe("Hello!");
  });

  it("ends without an answer in time, counted from the sending of the question", async () => {
    const bot = await live(orderStatus);
    await bot.hears("1", "200", "order status");
    await when(async () => ((await world.store.items({ limit: 1 })).length > 0 ? true : undefined));
    world.clock.advance(60 * MINUTE);
    await said(1);
    await isAsking();
    world.clock.advance(14 * MINUTE);
    bot.wake();
    await runsAre("waiting");
    world.clock.advance(2 * MINUTE);
    await restart(orderStatus);

    expect((await said(2)).at(-1)).toBe(
      "I'll be here when you find it. Just write 'order status' again.",
    );
    await runsAre("done");
  });

  it("continues with the current code", async () => {
    const polite = (end: string): Bot =>
      defineBot({
        name: "polite",
        on: {
          "dm.received": async (ctx) => {
            const answer = await ctx.ask("name", "Who are you?", { timeout: "1d" });
            await ctx.reply(`${answer?.message.text}${end}`);
          },
        },
      });
    await (await live(polite("?"))).hears("1", "200", "hi");
    await said(1);
    const edited = await restart(polite("!"));
    await edited.hears("2", "200", "Ana");

    expect(await said(2)).toEqual(["Who are you?", "Ana!"]);
  });
});

describe("a question", () => {
  const asker = (ask: (ctx: BotContext<"dm.received">) => Promise<unknown>): Bot =>
    defineBot({
      name: "asker",
      on: {
        "dm.received": async (ctx) => {
          const message = await ask(ctx).catch((error: Error) => error.message);
          await ctx.reply(`told: ${JSON.stringify(message)}`);
        },
      },
    });

  it("that could not be sent is an error", async () => {
    const bot = await live(asker((ctx) => ctx.ask("name", "Who are you?", { timeout: "1d" })));
    await bot.hears("1", "200", "hi");
    await when(async () => ((await world.store.items({ limit: 1 })).length > 0 ? true : undefined));
    await bot.refuses("reply_dm was refused with 403: they take no messages");

    expect(await said(1)).toEqual(['told: "the question was not sent: they take no messages"']);
  });

  /** Asks two questions together, and sends what came of them. */
  const askTwo = (timeout: string): Bot =>
    asker((ctx) =>
      Promise.allSettled([ctx.ask("a", "A?", { timeout }), ctx.ask("b", "B?", { timeout })]).then(
        (ends) =>
          ends.map((end) => (end.status === "rejected" ? "refused" : (end.value?.text ?? "none"))),
      ),
    );

  it("waits to be sent for longer than its timeout, while the handler goes on and waits again", async () => {
    const bot = await live(
      asker(async (ctx) => {
        const answer = ctx.ask("count", "How many?", { timeout: "1h" });
        await Promise.race([answer, ctx.sleep("short", "10m")]);
        await ctx.step("awake", () => true);
        return (await answer)?.text ?? "none";
      }),
    );
    await bot.hears("1", "200", "hi");
    await waitsFor("/actions[0]#1");
    world.clock.advance(11 * MINUTE);
    bot.wake();
    await when(async () => ((await recorded()).includes('"awake"') ? true : undefined));
    await waitsFor("/actions[0]#1");
    world.clock.advance(3 * 60 * MINUTE);
    bot.wake();
    expect(await said(1)).toEqual(["How many?"]);
    await isAsking();
    world.clock.advance(59 * MINUTE);
    await bot.hears("2", "200", "five");

    expect(await said(2)).toEqual(["How many?", 'told: "five"']);
  });

  it("is noticed if it is sent just before its run waits for it again", async () => {
    const { store } = world;
    let isBetween = false;
    const bot = await world.live({
      ...having([
        asker(async (ctx) => {
          const answer = ctx.ask("count", "How many?", { timeout: "1h" });
          await ctx.sleep("short", "10m");
          isBetween = true;
          return (await answer)?.text ?? "none";
        }),
      ]),
      store: {
        ...store,
        partitions: store.partitions,
        async items(query) {
          const items = await store.items(query);
          if (!isBetween || query.seq === undefined) return items;
          isBetween = false;
          await bot.sends();
          return items;
        },
      },
    });
    await bot.hears("1", "200", "hi");
    await waitsFor("/actions[0]#1");
    world.clock.advance(10 * MINUTE);
    bot.wake();
    await when(() => world.platform.length > 0 || undefined);
    await waitsFor("/actions[0]#1");
    world.clock.advance(MINUTE);
    bot.wake();
    await waitsFor("/waits#3");
    world.clock.advance(60 * MINUTE);

    expect((await said(2)).at(-1)).toBe('told: "none"');
  });

  it("that is refused while its handler is at work is an error once the handler waits", async () => {
    let finish = (): void => {};
    const work = new Promise<void>((resolve) => (finish = resolve));
    let isWorking = false;
    const bot = await live(
      asker(async (ctx) => {
        const answer = ctx.ask("count", "How many?", { timeout: "1h" });
        answer.catch(() => {});
        await ctx.sleep("short", "10m");
        await ctx.step("long", () => {
          isWorking = true;
          return work;
        });
        return answer;
      }),
    );
    await bot.hears("1", "200", "hi");
    await waitsFor("/actions[0]#1");
    world.clock.advance(11 * MINUTE);
    bot.wake();
    await when(() => isWorking || undefined);
    await bot.refuses("reply_dm was refused with 403: they take no messages");
    finish();

    expect(await said(1)).toEqual(['told: "the question was not sent: they take no messages"']);
  });

  it("that is refused does not get the answer to a later one, asked at the same time", async () => {
    const bot = await live(askTwo("1h"));
    await bot.hears("1", "200", "hi");
    await waitsFor("/actions[0]#1");
    await bot.refuses("reply_dm was refused with 403: they take no messages", "A?");
    expect(await said(1)).toEqual(["B?"]);
    await isAsking();
    await bot.hears("2", "200", "answer b");

    expect(await said(2)).toEqual(["B?", 'told: ["refused","answer b"]']);
  });

  it("starts its own timeout only, when it is sent", async () => {
    const bot = await live(askTwo("1h"));
    await bot.hears("1", "200", "hi");
    await waitsFor("/actions[0]#1");
    await bot.sends("A?");
    await waitsFor("/actions[1]#1");
    world.clock.advance(61 * MINUTE);
    bot.wake();
    expect(await said(2)).toEqual(["A?", "B?"]);
    await isAsking();
    world.clock.advance(59 * MINUTE);
    await bot.hears("2", "200", "answer b");

    expect((await said(3)).at(-1)).toBe('told: ["none","answer b"]');
  });

  it.each([
    { where: { "state.sender.vip": { equals: true } }, answers: ['told: "I am"'] },
    { where: { if: "state.sender.vip.orValue(false) == true" }, answers: ['told: "I am"'] },
    { where: { "state.sender.vip": { exists: false } }, answers: [] },
  ])("compares stored values in its conditions: $where", async ({ where, answers }) => {
    const bot = await live(
      asker(async (ctx) => {
        await ctx.state.set("vip", true);
        return (await ctx.ask("who", "Who are you?", { timeout: "1h", where }))?.text;
      }),
    );
    await bot.hears("1", "200", "hi");
    await said(1);
    await isAsking();
    await bot.hears("2", "200", "I am");
    await bot.hears("3", "200", "hello");

    const texts = await said(answers.length === 0 ? 3 : 2);
    expect(texts.filter((text) => text.startsWith("told"))).toEqual(answers);
  });

  it.each([
    {
      why: "it has no timeout",
      ask: (ctx: BotContext<"dm.received">) => ctx.ask("name", "Who?", JSON.parse("{}")),
      says: 'the timeout of ctx.ask is a duration such as \\"15m\\", of 366d at most, got none',
    },
    {
      why: "a field of its conditions is not there",
      ask: (ctx: BotContext<"dm.received">) =>
        ctx.ask("name", "Who?", { timeout: "1m", where: { "message.txt": { contains: "a" } } }),
      says: 'the where of \\"name\\" can\'t be: ',
    },
    {
      why: "its conditions are none",
      ask: (ctx: BotContext<"dm.received">) =>
        ctx.ask("name", "Who?", { timeout: "1m", where: [] }),
      says: "the where of ctx.ask is a condition as rules have it",
    },
    {
      why: "nothing like that can be waited for",
      ask: (ctx: BotContext<"dm.received">) =>
        ctx.waitFor("it", JSON.parse('"dm.sent"'), { timeout: "1m" }),
      says: 'ctx.waitFor can\'t wait for \\"dm.sent\\"; write one of: dm.received',
    },
  ])("is refused if $why", async ({ ask, says }) => {
    const bot = await live(asker(ask));
    await bot.hears("1", "200", "hi");
    const message = await when(async () => {
      await bot.sends();
      return world.platform.find(({ text }) => text.startsWith("told"))?.text;
    });

    expect(message).toContain(says);
  });
});

describe("a process that ends in the middle of a bot's conversation", () => {
  const SCRIPT = ["where is my order", "dunno", "#a12345", "thanks!"];
  const TEXTS = [QUESTION, AGAIN, FOUND, "You're welcome!"];

  /**
   * Plays the whole conversation. The bot's process dies after `writes` writes to the store, and another process
   * continues.
   */
  async function talk(here: Place, writes: number) {
    const platform: Said[] = [];
    const clock = handClock();
    let writeCount = 0;
    let isDead = false;
    let store = await here.open();
    const living = (most: number): Promise<Life> =>
      liveOn({
        store,
        clock,
        rules: RULES,
        platform,
        bots: [loaded(orderStatus)],
        handle: handlersOf(orderStatus),
        writes: most,
        onWrite: () => (writeCount += 1),
      });
    let bot = await living(writes);
    void bot.died.then(() => (isDead = true));
    const heard = new Set<number>();
    for (;;) {
      if (isDead) {
        isDead = false;
        await bot.end();
        await store.close();
        store = await here.open();
        bot = await living(Infinity);
      }
      const next = platform.length;
      const text = SCRIPT[next];
      const { runs } = await store.stats();
      if (text === undefined && runs.waiting + runs.ready === 0) break;
      // an answer before the run waits for it would start another run
      const isHeard = next === 0 || (await store.listeners("100/200")).length > 0;
      if (text !== undefined && !heard.has(next) && isHeard) {
        try {
          await bot.hears(String(next + 1), "200", text);
          heard.add(next);
        } catch (error) {
          ended(error);
        }
      }
      await bot.sends().catch(ended);
      bot.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const rows = await store.journal({ limit: 9 });
    const order = await store.load(["state/100/person/200/last_order"]);
    await bot.end();
    await store.close();
    return {
      writeCount,
      texts: platform.map(({ text }) => text),
      keys: new Set(platform.map(({ key }) => key)).size,
      runs: rows.flatMap(({ runs }) => runs.map(({ status }) => status)),
      remembers: [...order.values()].map(({ value }) => value),
    };
  }

  /**
   * Plays the conversation once for every `every`-th number of writes after which the process dies.
   *
   * @returns Number of writes without a crash.
   */
  async function walk(open: () => Promise<Place>, every: number): Promise<number> {
    const tried = async (writes: number) => {
      const here = await open();
      const end = await talk(here, writes);
      await here.remove();
      return end;
    };
    const same = {
      texts: TEXTS,
      keys: TEXTS.length,
      runs: ["done"],
      remembers: ['"A12345"'],
    };
    const whole = await tried(Infinity);
    expect(whole).toMatchObject(same);
    for (let writes = 1; writes <= whole.writeCount; writes += every) {
      const { writeCount: _kept, ...end } = await tried(writes);
      expect({ writes, ...end }).toEqual({ writes, ...same });
    }
    return whole.writeCount;
  }

  it("continues from every write as if nothing had happened, and sends nothing twice", async () => {
    expect(await walk(modelPlace, 1)).toBeGreaterThan(15);
  });

  it("does so on the disk", async () => {
    expect(await walk(folderPlace, 5)).toBeGreaterThan(15);
  });
});

/** Accepts the error with which the store refuses calls of a dead process. */
function ended(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}
