import { describe, expect, it } from "vitest";
import { type Bot, defineBot, type BotContext } from "../../../src/bots/define.ts";
import { when } from "../../support/when.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { handlersOf, loaded } from "./handlers-at-work.ts";
import { worldOfEach } from "./bot-world.ts";
import { type LifeNeeds } from "./lives.ts";

const MINUTE = 60_000;

const world = worldOfEach(modelPlace);
const { said, runsAre } = world;

type Ctx = BotContext<"dm.received">;

const bot = (handler: (ctx: Ctx) => Promise<void>): Bot =>
  defineBot({ name: "tester", on: { "dm.received": handler } });
/** Returns the options of a process with one bot. */
const having = (one: Bot, over: Partial<LifeNeeds>): Partial<LifeNeeds> => ({
  bots: [loaded(one)],
  handle: handlersOf(one),
  ...over,
});
const live = (one: Bot, over: Partial<LifeNeeds> = {}) => world.live(having(one, over));
const restart = (one: Bot, over: Partial<LifeNeeds> = {}) => world.restart(having(one, over));
const failure = async (): Promise<string> => {
  const rows = await world.store.journal({ limit: 100 });
  const body = rows.flatMap(({ runs }) => runs).find(({ status }) => status === "failed")?.body;
  return String(JSON.parse(body ?? "{}").error);
};

describe("a handler that sleeps", () => {
  const sleeper = bot(async (ctx) => {
    await ctx.reply("good night");
    await ctx.sleep("nap", "20m");
    await ctx.reply(`awake after ${(ctx.now - ctx.event.at) / MINUTE} minutes`);
  });

  it("answers before it sleeps, and continues at its time", async () => {
    const one = await live(sleeper);
    await one.hears("1", "200", "hi");

    expect(await said(1)).toEqual(["good night"]);
    await runsAre("waiting");
    world.clock.advance(20 * MINUTE);
    one.wake();
    expect(await said(2)).toEqual(["good night", "awake after 20 minutes"]);
    await runsAre("done");
  });

  it("continues after a downtime", async () => {
    await (await live(sleeper)).hears("1", "200", "hi");
    await said(1);
    await runsAre("waiting");
    world.clock.advance(60 * MINUTE);
    await restart(sleeper);

    expect(await said(2)).toEqual(["good night", "awake after 60 minutes"]);
  });

  it("delays nobody meanwhile, not even the same person", async () => {
    const one = await live(sleeper);
    await one.hears("1", "200", "hi");
    await said(1);
    await one.hears("2", "200", "hi again");

    expect(await said(2)).toEqual(["good night", "good night"]);
    await runsAre("waiting", "waiting");
  });

  it("may sleep twice at once, and continues with the first to end", async () => {
    const racing = bot(async (ctx) => {
      const first = await Promise.race([
        ctx.sleep("long", "1h").then(() => "long"),
        ctx.sleep("short", "5m").then(() => "short"),
      ]);
      await ctx.reply(first);
    });
    const one = await live(racing);
    await one.hears("1", "200", "hi");
    await runsAre("waiting");
    world.clock.advance(5 * MINUTE);
    one.wake();

    expect(await said(1)).toEqual(["short"]);
    await runsAre("done");
    world.clock.advance(60 * MINUTE);
    one.wake();
    await when(async () => ((await world.store.stats()).inbox === 0 ? true : undefined));
    await runsAre("done");
  });
});

describe("a step", () => {
  it("runs once, although its handler runs again from the start", async () => {
    const done: string[] = [];
    const steps = bot(async (ctx) => {
      const number = await ctx.step("draw", () => {
        done.push("draw");
        return { drawn: done.length };
      });
      await ctx.sleep("nap", "1m");
      const nothing = await ctx.step("tell", async () => {
        done.push("tell");
      });
      await ctx.reply(`${number.drawn} ${typeof nothing}`);
    });
    const one = await live(steps);
    await one.hears("1", "200", "hi");
    await runsAre("waiting");
    world.clock.advance(MINUTE);
    one.wake();

    expect(await said(1)).toEqual(["1 undefined"]);
    expect(done).toEqual(["draw", "tell"]);
  });

  it("is not repeated after a crash if it had ended, and is repeated otherwise", async () => {
    const done: string[] = [];
    let hang = true;
    const steps = bot(async (ctx) => {
      await ctx.step("first", () => void done.push("first"));
      await ctx.reply("between");
      await ctx.step("second", async () => {
        done.push("second");
        if (hang) await new Promise(() => {});
      });
      await ctx.reply("end");
    });
    await (await live(steps)).hears("1", "200", "hi");
    await when(async () => (done.includes("second") ? true : undefined));
    hang = false;
    await restart(steps);

    expect(await said(2)).toEqual(["between", "end"]);
    expect(done).toEqual(["first", "second", "second"]);
  });

  it("fails the same way each time, even after its cause is gone", async () => {
    let tries = 0;
    const steps = bot(async (ctx) => {
      const problem = await ctx
        .step("ask", () => {
          tries += 1;
          if (tries === 1) throw new RangeError("too far");
          return "fine";
        })
        .catch((error: Error) => `${error.name}: ${error.message}`);
      await ctx.sleep("nap", "1m");
      await ctx.reply(problem);
    });
    const one = await live(steps);
    await one.hears("1", "200", "hi");
    await runsAre("waiting");
    world.clock.advance(MINUTE);
    one.wake();

    expect(await said(1)).toEqual(["RangeError: too far"]);
    expect(tries).toBe(1);
  });

  it("continues beside others in the same order each time", async () => {
    const order: string[] = [];
    const branch = async (ctx: Ctx, name: string, ms: number): Promise<void> => {
      await ctx.step(`${name} 1`, () => new Promise((resolve) => setTimeout(resolve, ms)));
      order.push(name);
      await ctx.step(`${name} 2`, () => null);
    };
    const steps = bot(async (ctx) => {
      await Promise.all([branch(ctx, "slow", 30), branch(ctx, "quick", 0)]);
      await ctx.sleep("nap", "1m");
      await ctx.reply(order.join(" "));
    });
    const one = await live(steps);
    await one.hears("1", "200", "hi");
    await runsAre("waiting");
    world.clock.advance(MINUTE);
    one.wake();

    expect(await said(1)).toEqual(["quick slow quick slow"]);
  });
});

describe("names of calls", () => {
  const changing = async (before: Bot, after: Bot): Promise<string> => {
    await (await live(before)).hears("1", "200", "hi");
    await runsAre("waiting");
    world.clock.advance(MINUTE);
    await restart(after);
    await runsAre("failed");
    return failure();
  };
  const naps = bot(async (ctx) => {
    await ctx.step("first", () => 1);
    await ctx.sleep("nap", "1m");
    await ctx.reply("done");
  });

  it.each([
    {
      why: "a step has another name",
      after: bot(async (ctx) => {
        await ctx.step("begin", () => 1);
        await ctx.sleep("nap", "1m");
      }),
      says: 'ctx.step("begin") comes where the run has ctx.step("first") on record, as call 1',
    },
    {
      why: "another call stands there",
      after: bot(async (ctx) => {
        await ctx.step("first", () => 1);
        await ctx.step("nap", () => 1);
      }),
      says: 'ctx.step("nap") comes where the run has ctx.sleep("nap") on record, as call 2',
    },
    {
      why: "an answer was put before",
      after: bot(async (ctx) => {
        await ctx.reply("hello");
        await ctx.step("first", () => 1);
      }),
      says: 'the action reply_dm comes where the run has ctx.step("first") on record',
    },
    {
      why: "it ends before",
      after: bot(async (ctx) => {
        await ctx.step("first", () => 1);
      }),
      says: 'the handler ended where the run has ctx.sleep("nap") on record',
    },
    {
      why: "it catches the error",
      after: bot(async (ctx) => {
        await ctx.step("begin", () => 1).catch(() => {});
        await ctx.reply("nothing happened");
      }),
      says: 'ctx.step("begin") comes where',
    },
  ])("fail the run when $why", async ({ after, says }) => {
    expect(await changing(naps, after)).toContain(says);
    expect(world.platform).toEqual([]);
  });

  it("are told with the place of the call that does not fit", async () => {
    const after = bot(async (ctx) => void (await ctx.step("begin", () => 1)));

    expect(await changing(naps, after)).toContain("handlers.test.ts:");
  });

  it.each([
    {
      why: "two calls have the same one",
      handler: async (ctx: Ctx) => {
        await ctx.step("one", () => 1);
        await ctx.sleep("one", "1m");
      },
      says: 'the name "one" is that of ctx.step("one") before',
    },
    {
      why: "it is empty",
      handler: async (ctx: Ctx) => ctx.sleep("", "1m"),
      says: 'a name is 1 to 100 characters without control characters, got ""',
    },
    {
      why: "the time is none",
      handler: async (ctx: Ctx) => ctx.sleep("nap", "soon"),
      says: 'ctx.sleep is a duration such as "15m", of 366d at most, got "soon"',
    },
    {
      why: "a result is no plain data",
      handler: async (ctx: Ctx) => void (await ctx.step("one", () => ({ at: [new Date(0)] }))),
      says: 'the result of ctx.step("one") has at .at[0] a Date: give plain data',
    },
    {
      why: "a result is too long",
      handler: async (ctx: Ctx) => void (await ctx.step("one", () => "x".repeat(100_000))),
      says: 'the result of ctx.step("one") has 100002 characters as JSON, and 100000 are the most',
    },
  ])("fail the run at once when $why", async ({ handler, says }) => {
    await (await live(bot(handler))).hears("1", "200", "hi");
    await runsAre("failed");
    expect(await failure()).toContain(says);
  });
});

describe("state", () => {
  const RULES = `version: 1
rules:
  - id: count
    triggers: [dm.received]
    conditions: [{message.text: {contains: rule}}]
    actions:
      - set: {state.sender.visits: "\${{ state.sender.visits.orValue(0) + 1 }}"}
      - reply_dm: "visit \${{ state.sender.visits.orValue(0) }}"
`;
  const counter = bot(async (ctx) => {
    if (!ctx.event.message.text.includes("bot")) return;
    const visits = Number((await ctx.state.get("visits")) ?? 0) + 1;
    await ctx.state.set("visits", visits);
    await ctx.reply(`visit ${Number(await ctx.state.get("visits"))}`);
  });

  it("is shared with rules, and stored with the answer", async () => {
    const one = await live(counter, { rules: RULES });
    await one.hears("1", "200", "bot");
    await said(1);
    await one.hears("2", "200", "rule");
    await said(2);
    await one.hears("3", "200", "bot");
    await said(3);
    await one.hears("4", "300", "bot");

    expect(await said(4)).toEqual(["visit 1", "visit 2", "visit 3", "visit 1"]);
  });

  it("of the account is shared by all people, and counted once by simultaneous handlers", async () => {
    const all = bot(async (ctx) => {
      const seen = Number((await ctx.state.account.get("seen")) ?? 0);
      // all handlers have read the value before the first one writes
      await new Promise((resolve) => setTimeout(resolve, 5));
      await ctx.state.account.set("seen", seen + 1);
      await ctx.reply(String(seen + 1));
    });
    const one = await live(all);
    await Promise.all(["200", "300", "400", "500"].map((from) => one.hears(from, from, "hi")));

    expect((await said(4)).toSorted()).toEqual(["1", "2", "3", "4"]);
    await runsAre("done", "done", "done", "done");
    expect([...(await world.store.load(["state/100/seen"])).values()]).toMatchObject([
      { value: "4" },
    ]);
  });

  it("that a step used is committed once before the step runs", async () => {
    const done: string[] = [];
    const booking = bot(async (ctx) => {
      const remaining = Number((await ctx.state.account.get("left")) ?? 3);
      await ctx.state.account.set("left", remaining - 1);
      await ctx.step("book", () => void done.push(`${ctx.sender.id}: ${remaining}`));
      await ctx.reply(`booked ${remaining}`);
    });
    const one = await live(booking);
    await Promise.all(["200", "300", "400"].map((from) => one.hears(from, from, "hi")));

    expect((await said(3)).toSorted()).toEqual(["booked 1", "booked 2", "booked 3"]);
    expect(done.map((line) => line.slice(5)).toSorted()).toEqual(["1", "2", "3"]);
  });

  it("is the value first read, even if the handler runs again", async () => {
    const reader = bot(async (ctx) => {
      const before = await ctx.state.get("mood");
      await ctx.state.set("mood", "asleep");
      await ctx.sleep("nap", "1m");
      await ctx.state.delete("mood");
      await ctx.reply(`${typeof before} ${typeof (await ctx.state.get("mood"))}`);
    });
    const one = await live(reader);
    await one.hears("1", "200", "hi");
    await runsAre("waiting");
    expect((await world.store.load(["state/100/person/200/mood"])).size).toBe(1);
    world.clock.advance(MINUTE);
    one.wake();

    expect(await said(1)).toEqual(["undefined undefined"]);
    expect((await world.store.load(["state/100/person/200/mood"])).size).toBe(0);
  });

  it("can expire", async () => {
    const forgetful = bot(async (ctx) => {
      const greeted = await ctx.state.conversation.get("greeted");
      await ctx.state.conversation.set("greeted", true, { for: "10m" });
      await ctx.reply(greeted === true ? "again?" : "hello");
    });
    const one = await live(forgetful);
    for (const [n, minutes] of [0, 5, 11].entries()) {
      world.clock.advance(minutes * MINUTE);
      await one.hears(String(n + 1), "200", "hi");
      await said(n + 1);
    }

    expect(world.platform.map(({ text }) => text)).toEqual(["hello", "again?", "hello"]);
  });

  it.each([
    {
      why: "a name can't be one",
      use: (ctx: Ctx) => ctx.state.get("last order"),
      says: 'a name of state is 1 to 64 letters, digits and "_"',
    },
    {
      why: "there is no value",
      use: (ctx: Ctx) => ctx.state.set("mood", JSON.parse("null")),
      says: 'there is no value for "mood": take it away with ctx.state.delete',
    },
    {
      why: "a value is too long",
      use: (ctx: Ctx) => ctx.state.set("mood", "x".repeat(20_000)),
      says: 'the value of "mood" has 20002 characters as JSON, and 16384 are the most',
    },
  ])("is refused when $why", async ({ use, says }) => {
    const one = await live(bot(async (ctx) => void (await use(ctx))));
    await one.hears("1", "200", "hi");
    await runsAre("failed");

    expect(await failure()).toContain(says);
  });
});
