import { AsyncLocalStorage } from "node:async_hooks";
import { ChatError } from "chat";
import type { BotContext } from "../bots/define.ts";
import { extended } from "../bots/composing/middleware.ts";
import { contentHash } from "../system/content-hash.ts";

/** The post that the next one in a thread answers, and the person in whose order of answers it stands. */
export interface AnsweredPost {
  readonly postId: string;
  readonly personId: string;
}

/** One event while the handlers of a Chat have it. */
export class Turn {
  readonly ctx: BotContext;
  /** The bot that the Chat is; two of an account keep their state apart by it. */
  readonly bot: string;
  /** By thread id. */
  readonly answered = new Map<string, AnsweredPost>();
  /** The latest edit of each post that was edited, by its first id: the Chat SDK goes on naming that. */
  readonly edited = new Map<string, string>();
  /** Something that was posted could not leave yet: what comes after it is queued behind it. */
  isHeldUp = false;
  /** By the step in which they were given; undefined beside all steps. */
  readonly #ordinals = new Map<string | undefined, number>();

  constructor(bot: string, ctx: BotContext) {
    this.bot = bot;
    this.ctx = extended(ctx, { step: markedStep(ctx) });
  }

  /**
   * A number that no other call of the turn has, and that the call has again when the handlers are run again. Those in a
   * step are counted by themselves: a step that is on record is not done again.
   */
  ordinal(): string {
    const step = STEP.getStore();
    const next = 1 + (this.#ordinals.get(step) ?? 0);
    this.#ordinals.set(step, next);
    return step === undefined ? `${next}` : `${step}.${next}`;
  }
}

/** What the step is known by in which something is called. */
const STEP = new AsyncLocalStorage<string>();

/** The step of a context, so that it is known what is called in it. */
function markedStep(ctx: BotContext): BotContext["step"] {
  return (name, work, options) => {
    const path = JSON.stringify([STEP.getStore() ?? "", name]);
    const mark = contentHash(path, "hex").slice(0, 8);
    return ctx.step(name, () => STEP.run(mark, work), options);
  };
}

const TURN = new AsyncLocalStorage<Turn>();

/** Runs `work` with `turn` as what everything in it belongs to. */
export function duringTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  return TURN.run(turn, work);
}

/** The turn under way; undefined at the top level of a module, in a timer of nobody's and the like. */
export function turnUnderWay(): Turn | undefined {
  return TURN.getStore();
}

/**
 * The turn that a call belongs to.
 *
 * @param what Named in the error: `posting`.
 * @throws {ChatError} where there is none.
 */
export function currentTurn(what: string): Turn {
  const turn = TURN.getStore();
  if (turn !== undefined) return turn;
  throw new ChatError(
    `${what} belongs into a handler (onNewMention, onDirectMessage …), so that it is kept with the event and done once`,
    "OUTSIDE_OF_HANDLER",
  );
}

/**
 * The runtime's context of the event whose handler runs: `step` for what is to be done once, `sleep`, `ask`, `state`,
 * `client` and all else that a bot of `defineBot` gets.
 *
 * @example
 * const bot = new Chat({
 *   userName: "hello_bot",
 *   adapters: { answerback: createAnswerbackAdapter() },
 *   state: createAnswerbackState(),
 * });
 * bot.onDirectMessage(async (thread, message) => {
 *   const answer = await handlerContext().step("ask the model", () => model(message.text));
 *   await thread.post(answer);
 * });
 *
 * @throws {ChatError} outside of a handler.
 */
export function handlerContext(): BotContext {
  return currentTurn("handlerContext()").ctx;
}
