import { describe, expect, it } from "vitest";
import { type Bot, type BotContext, defineBot } from "../../../../src/bots/define.ts";
import { modelPlace } from "../../../simulation/store/model-place.ts";
import { when } from "../../../support/when.ts";
import { worldOfEach } from "../bot-world.ts";
import { handlersOf, loaded } from "../handlers-at-work.ts";

const MINUTE = 60_000;
const ORDERS = "state/100/person/200/orders";
const world = worldOfEach(modelPlace);
const { said } = world;

type Ctx = BotContext<"dm.received">;

const bot = (handler: (ctx: Ctx) => Promise<void>): Bot =>
  defineBot({ name: "tester", on: { "dm.received": handler } });
const having = (one: Bot) => ({ bots: [loaded(one)], handle: handlersOf(one) });
const live = (one: Bot) => world.live(having(one));
/** Waits until the run sleeps, and lets it wake up in another process. */
const wakesElsewhere = async (one: Bot): Promise<void> => {
  await world.runsAre("waiting");
  world.clock.advance(20 * MINUTE);
  await world.restart(having(one));
  await world.rest();
};
/** Waits until the handler has reached `place`, ends the process, and starts another process with the bot `next`. */
const diesAt = async (seen: readonly string[], place: string, next: Bot): Promise<void> => {
  await when(() => (seen.includes(place) ? true : undefined));
  await world.bot.sends();
  await world.restart(having(next));
};
const orders = async (): Promise<string | undefined> =>
  (await world.store.load([ORDERS])).get(ORDERS)?.value;
const failure = async (): Promise<unknown> => {
  const runs = (await world.store.journal({ limit: 100 })).flatMap((row) => row.runs);
  const failed = runs.find(({ status }) => status === "failed");
  return failed && JSON.parse(failed.body).error;
};
const count = async ({ state }: Ctx): Promise<number> => {
  const n = Number((await state.get("orders")) ?? 0) + 1;
  await state.set("orders", n);
  return n;
};
const forever = (): Promise<never> => new Promise(() => {});

describe("a step that reads and writes state", () => {
  it("counts once, and its run continues after a crash while it sleeps", async () => {
    const pizzeria = bot(async (ctx) => {
      const n = await ctx.step("count", () => count(ctx));
      await ctx.sleep("oven", "20m");
      await ctx.reply(`order ${n} is ready, of ${Number(await ctx.state.get("orders"))}`);
    });
    await (await live(pizzeria)).hears("1", "200", "order");
    await wakesElsewhere(pizzeria);

    expect(await failure()).toBeUndefined();
    expect(await said(1)).toEqual(["order 1 is ready, of 1"]);
  });

  it("has stored and sent nothing if it is interrupted, and does so once when it is repeated", async () => {
    const seen: string[] = [];
    const cutOff = (isHanging: boolean): Bot =>
      bot(async (ctx) => {
        await ctx.reply("before");
        await ctx.step("count", async () => {
          await count(ctx);
          await ctx.reply("counted");
          await ctx.handOver("look here");
          seen.push("in the step");
          if (isHanging) await forever();
        });
        await ctx.reply("after");
      });
    await (await live(cutOff(true))).hears("1", "200", "order");
    await diesAt(seen, "in the step", cutOff(true));
    await when(() => (seen.length === 2 ? true : undefined));
    expect([await said(1), await orders()]).toEqual([["before"], undefined]);
    expect(await world.store.escalations({ limit: 10 })).toEqual([]);
    await world.restart(having(cutOff(false)));
    await world.rest();

    expect([await said(3), await orders()]).toEqual([["before", "counted", "after"], "1"]);
    expect(await world.store.escalations({ limit: 10 })).toHaveLength(1);
  });

  it("is repeated if someone else has changed the same value meanwhile", async () => {
    let begun = 0;
    const all = bot(async (ctx) => {
      const total = await ctx.step("count", async () => {
        const before = Number((await ctx.state.account.get("orders")) ?? 0);
        begun += 1;
        // both handlers have read the value before either ends
        await when(() => (begun >= 2 ? true : undefined));
        await ctx.state.account.set("orders", before + 1);
        return before + 1;
      });
      await ctx.reply(String(total));
    });
    const one = await live(all);
    await Promise.all([one.hears("1", "200", "hi"), one.hears("2", "300", "hi")]);

    expect((await said(2)).toSorted()).toEqual(["1", "2"]);
  });

  it("reads earlier changes of the handler, and the handler reads those of the step", async () => {
    const reader = bot(async (ctx) => {
      await ctx.state.set("orders", 5);
      const inside = await ctx.step("count", async () => [await count(ctx), await count(ctx)]);
      await ctx.reply(`${inside.join(" ")} ${Number(await ctx.state.get("orders"))}`);
    });
    await (await live(reader)).hears("1", "200", "hi");

    expect(await said(1)).toEqual(["6 7 7"]);
  });
});

describe("ctx.sendNow in a step", () => {
  it("sends at once after earlier answers, and once even if the step is repeated", async () => {
    const seen: string[] = [];
    const telling = (isHanging: boolean): Bot =>
      bot(async (ctx) => {
        await ctx.step("tell", async () => {
          await count(ctx);
          await ctx.reply("one");
          const { status } = await ctx.sendNow({ type: "reply_dm", to: "200", text: "two" });
          await ctx.reply("three");
          seen.push(status);
          if (isHanging) await forever();
        });
        await ctx.sleep("oven", "20m");
        await ctx.reply("four");
      });
    await (await live(telling(true))).hears("1", "200", "hi");
    expect(await said(2)).toEqual(["one", "two"]);
    await diesAt(seen, "sent", telling(false));
    expect(await said(3)).toEqual(["one", "two", "three"]);
    await wakesElsewhere(telling(false));

    expect(await said(4)).toEqual(["one", "two", "three", "four"]);
    expect([seen, await orders()]).toEqual([["sent", "sent"], "1"]);
  });

  it("does not wait for a simultaneous question", async () => {
    const asking = bot(async (ctx) => {
      const [, status] = await Promise.all([
        ctx.ask("which", "Which?", { timeout: "1h" }),
        ctx.sendNow({ type: "reply_dm", to: "200", text: "look" }).then((sent) => sent.status),
        ctx.step("tell", () => ctx.reply("told")),
      ]);
      await ctx.reply(status);
    });
    const one = await live(asking);
    await one.hears("1", "200", "hi");
    expect((await said(3)).toSorted()).toEqual(["Which?", "look", "told"]);
    await world.runsAre("waiting");
    await one.hears("2", "200", "this");

    expect((await said(4))[3]).toBe("sent");
  });
});

describe("a step inside a step", () => {
  it("is not repeated with the outer one once its result is stored", async () => {
    const seen: string[] = [];
    const nested = (isHanging: boolean): Bot =>
      bot(async (ctx) => {
        const result = await ctx.step("outer", async () => {
          await ctx.state.set("orders", 10);
          await ctx.reply("before");
          const n = await ctx.step("inner", async () => {
            seen.push("inner");
            await ctx.reply("inside");
            return count(ctx);
          });
          seen.push("outer");
          if (isHanging) await forever();
          return `${n} ${Number(await ctx.state.get("orders"))}`;
        });
        await ctx.sleep("oven", "20m");
        await ctx.reply(result);
      });
    await (await live(nested(true))).hears("1", "200", "hi");
    await diesAt(seen, "outer", nested(false));
    await wakesElsewhere(nested(false));

    expect(seen).toEqual(["inner", "outer", "outer"]);
    expect(await said(3)).toEqual(["before", "inside", "11 11"]);
    expect(await orders()).toBe("11");
  });

  it("may share a name with a step elsewhere, but not in the same step", async () => {
    const named = bot(async (ctx) => {
      await ctx.step("one", () => ctx.step("two", () => ctx.step("one", () => 1)));
      await ctx.step("two", () => 2);
      await ctx.step("three", async () => {
        await ctx.step("four", () => 1);
        await ctx.step("four", () => 1);
      });
    });
    await (await live(named)).hears("1", "200", "hi");
    await world.runsAre("failed");

    expect(await failure()).toContain('the name "four" is that of ctx.step("four") before');
  });
});

describe("in a step", () => {
  const waits: readonly { readonly call: string; readonly wait: (ctx: Ctx) => Promise<unknown> }[] =
    [
      { call: "ctx.sleep", wait: (ctx) => ctx.sleep("nap", "1m") },
      { call: "ctx.typing", wait: (ctx) => ctx.typing() },
      { call: "ctx.ask", wait: (ctx) => ctx.ask("which", "Which?", { timeout: "1m" }) },
      { call: "ctx.waitFor", wait: (ctx) => ctx.waitFor("like", "post.liked", { timeout: "1m" }) },
    ];

  it.each(waits)(
    "$call is refused with an instruction, and the run continues",
    async ({ call, wait }) => {
      const waiting = bot(async (ctx) => {
        await ctx.typing("1s");
        const message = await ctx.step("all", () =>
          wait(ctx).catch((error: Error) => error.message),
        );
        await ctx.typing("1s");
        await ctx.sleep("oven", "20m");
        await ctx.reply(String(message));
      });
      await (await live(waiting)).hears("1", "200", "hi");
      await when(async () => {
        world.clock.advance(MINUTE);
        world.bot.wake();
        await world.bot.sends();
        return world.platform.length === 1 || (await failure()) !== undefined || undefined;
      });

      expect(await failure()).toBeUndefined();
      expect(await said(1)).toEqual([
        `${call} can't wait in ctx.step("all"): a step is done in one go, so put it before the step or after it`,
      ]);
    },
  );

  it("a call after the end of the step has no effect, and reports that", async () => {
    const messages: string[] = [];
    const forgetful = bot(async (ctx) => {
      let late: Promise<void> = Promise.resolve();
      const { promise, resolve } = ended();
      await ctx.step("quick", () => {
        late = promise.then(() => ctx.reply("late"));
      });
      resolve();
      await late.catch((error: Error) => messages.push(error.message));
      await ctx.sleep("oven", "20m");
      await ctx.reply("on time");
    });
    await (await live(forgetful)).hears("1", "200", "hi");
    await wakesElsewhere(forgetful);

    expect(await said(1)).toEqual(["on time"]);
    expect(messages[0]).toContain('ctx.reply was called after ctx.step("quick") had ended');
  });

  it("a result that can't be stored is an error each time, and its calls are stored with it", async () => {
    let done = 0;
    const careless = bot(async (ctx) => {
      const message = await ctx
        .step("when", async () => {
          done += 1;
          await ctx.reply("looking");
          return new Date(0);
        })
        .catch((error: Error) => error.message);
      await ctx.sleep("oven", "20m");
      await ctx.reply(String(message));
    });
    await (await live(careless)).hears("1", "200", "hi");
    await wakesElsewhere(careless);

    expect([done, (await said(2))[0]]).toEqual([1, "looking"]);
    expect((await said(2))[1]).toContain('the result of ctx.step("when") is a Date');
  });
});

describe("a handler whose steps make calls", () => {
  it("fails if its own calls differ from the recorded ones, as always", async () => {
    const before = bot(async (ctx) => {
      await ctx.step("tell", () => ctx.reply("told"));
      await ctx.reply("hello");
      await ctx.sleep("oven", "20m");
    });
    const after = bot(async (ctx) => {
      await ctx.step("tell", () => ctx.reply("told"));
      await ctx.sleep("oven", "20m");
    });
    await (await live(before)).hears("1", "200", "hi");
    await wakesElsewhere(after);

    expect(await failure()).toContain(
      'ctx.sleep("oven") comes where the run has the action reply_dm on record, as call 3',
    );
  });
});

function ended(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((take) => (resolve = take));
  return { promise, resolve };
}
