import { AsyncLocalStorage } from "node:async_hooks";
import { ChatError } from "chat";
import type { BotContext } from "../bots/define.ts";
import { extended } from "../bots/composing/middleware.ts";
import { contentHash } from "../system/content-hash.ts";

/** The post to which the next post in a thread replies, and its author, by whom the bot's actions are ordered. */
export interface AnsweredPost {
  readonly postId: string;
  readonly personId: string;
}

/** The handling of one event by the handlers of a `Chat`. */
export class Turn {
  readonly ctx: BotContext;
  /** Name of the Chat's bot, which separates the state of several bots of an account. */
  readonly bot: string;
  /** Post to which the next post replies, by thread id. */
  readonly answered = new Map<string, AnsweredPost>();
  /** Latest version of each edited post by its first id, which the Chat SDK keeps using. */
  readonly edited = new Map<string, string>();
  /** Whether an earlier post could not be sent yet, so that later posts are queued behind it. */
  isHeldUp = false;
  /** Last number that `ordinal` returned, by step; the key is undefined outside steps. */
  readonly #ordinals = new Map<string | undefined, number>();

  constructor(bot: string, ctx: BotContext) {
    this.bot = bot;
    this.ctx = extended(ctx, { step: markedStep(ctx) });
  }

  /**
   * Returns a number that is unique among the calls of this turn and the same when the handlers run again. Calls in a
   * step are numbered separately, because a recorded step is not repeated.
   */
  ordinal(): string {
    const step = STEP.getStore();
    const next = 1 + (this.#ordinals.get(step) ?? 0);
    this.#ordinals.set(step, next);
    return step === undefined ? `${next}` : `${step}.${next}`;
  }
}

/** Hash of the current step's name and of the steps around it. */
const STEP = new AsyncLocalStorage<string>();

/** Creates the context's `step`, which also sets `STEP` for the calls within a step. */
function markedStep(ctx: BotContext): BotContext["step"] {
  return (name, work, options) => {
    const path = JSON.stringify([STEP.getStore() ?? "", name]);
    const mark = contentHash(path, "hex").slice(0, 8);
    return ctx.step(name, () => STEP.run(mark, work), options);
  };
}

const TURN = new AsyncLocalStorage<Turn>();

/** Runs `work` with `turn` as the current turn. */
export function duringTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  return TURN.run(turn, work);
}

/** The handling of the current event; undefined at the top level of a module, in a detached timer and so on. */
export function turnUnderWay(): Turn | undefined {
  return TURN.getStore();
}

/**
 * Returns the turn (handling of one event) of the running code.
 *
 * @param what Name of the call in the error, such as `posting`.
 * @throws {ChatError} if the code runs outside a handler.
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
 * The runtime's context of the current event: `step` for side effects that must happen once, `sleep`, `ask`, `state`,
 * `client` and everything else of a `defineBot` handler.
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
 * @throws {ChatError} outside handlers.
 */
export function handlerContext(): BotContext {
  return currentTurn("handlerContext()").ctx;
}
