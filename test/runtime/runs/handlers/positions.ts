import { createBot } from "../../../../src/bots/authoring.ts";
import type { Bot } from "../../../../src/bots/define.ts";
import { StepCutOffError } from "../../../../src/bots/durable/step-end.ts";
import { UsageError } from "../../../../src/errors.ts";
import { type Call, type Ctx, REFUSED } from "./calls.ts";

/** Position in a bot at which a call can be made. */
export interface Position {
  readonly name: string;
  /** Makes the call, and returns its result. */
  readonly run: (ctx: Ctx, call: () => Promise<string>) => Promise<string>;
  readonly isInStep: boolean;
  /** Whether the call is in a step with `atMostOnce`, which is not repeated after a crash. */
  readonly isAtMostOnce?: true;
  /** Part of the bot that makes the call; by default its handler. */
  readonly part?: "middleware before" | "middleware after";
}

export const CUT_OFF = "cut off";
const AT_MOST_ONCE = { atMostOnce: true } as const;

const alone: Position["run"] = (_ctx, call) => call();
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const POSITIONS: readonly Position[] = [
  {
    name: "in a step",
    isInStep: true,
    run: (ctx, call) =>
      ctx.step("outer", async () => {
        await turn();
        return (async () => call())();
      }),
  },
  {
    name: "beside a step that makes calls",
    isInStep: false,
    async run(ctx, call) {
      const other = ctx.step("other", async () => {
        await ctx.state.get("others");
        await ctx.state.set("others", 1);
      });
      const [result] = await Promise.all([call(), other]);
      return result;
    },
  },
  {
    name: "between two steps",
    isInStep: false,
    async run(ctx, call) {
      await ctx.step("first", () => ctx.state.update("others", () => 1));
      const result = await call();
      return ctx.step("second", () => result);
    },
  },
  {
    name: "in Promise.all in a step",
    isInStep: true,
    run: (ctx, call) =>
      ctx.step("outer", async () => {
        const inner = ctx.step("inner", () => ctx.state.get("others"));
        const [, result] = await Promise.all([ctx.state.get("others"), call(), inner]);
        return result;
      }),
  },
  {
    name: "in a step in a step",
    isInStep: true,
    run: (ctx, call) => ctx.step("outer", () => ctx.step("inner", call)),
  },
  {
    name: "in a step that is done at most once",
    isInStep: true,
    isAtMostOnce: true,
    run: (ctx, call) => ctx.step("outer", call, AT_MOST_ONCE),
  },
  {
    name: "in a step in a step, done at most once",
    isInStep: true,
    isAtMostOnce: true,
    run: (ctx, call) => ctx.step("outer", () => ctx.step("inner", call, AT_MOST_ONCE)),
  },
  { name: "in middleware before the rest", isInStep: false, part: "middleware before", run: alone },
  { name: "in middleware after the rest", isInStep: false, part: "middleware after", run: alone },
];

/** Creates a bot that makes a call at a position, sleeps, and replies with the call's result. */
export function botWith({ make }: Call, { run, part }: Position): Bot {
  const attempt = async (ctx: Ctx): Promise<string> => {
    try {
      return await run(ctx, () => make(ctx).catch(refusal));
    } catch (error) {
      if (error instanceof StepCutOffError) return CUT_OFF;
      throw error;
    }
  };
  return createBot<{ held: { result?: string } }>("tester")
    .use(async (ctx, next) => {
      ctx.held = {};
      await next();
    })
    .on("dm.received", async (ctx, next) => {
      if (part === "middleware before") ctx.held.result = await attempt(ctx);
      await next();
      if (part === "middleware after") ctx.held.result = await attempt(ctx);
      await ctx.sleep("oven", "20m");
      await ctx.reply(`${ctx.held.result}, then awake`);
    })
    .on("dm.received", async (ctx) => {
      if (part === undefined) ctx.held.result = await attempt(ctx);
    })
    .toBot();
}

/** Returns {@link REFUSED} for the error of a refused call; rethrows other errors. */
function refusal(error: unknown): string {
  if (error instanceof UsageError) return REFUSED;
  throw error;
}
