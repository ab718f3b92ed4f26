import type { InboundTrigger } from "../../events/triggers.ts";
import { type Bot, defineBot, type Handler } from "../define.ts";
import { Composer } from "./composer.ts";
import { runLinks } from "./middleware.ts";

/** A bot that is put together part by part; a module's default export as it is. */
export class BotBuilder<X extends object = object> extends Composer<X> {
  readonly #name: string;
  readonly #options: BotOptions;

  constructor(name: string, options: BotOptions) {
    super();
    // a mistake is told where it is made
    defineBot({ name, ...options, on: {} });
    this.#name = name;
    this.#options = options;
  }

  /**
   * The bot, as {@link defineBot} gives it: one handler under every trigger that a part of it wants. The runtime calls
   * this for a module's default export.
   *
   * @throws {TypeError} when no part wants any event.
   */
  toBot(): Bot {
    const chain = this.asLink();
    const triggers: ReadonlySet<InboundTrigger> = new Set(chain.wants());
    if (triggers.size === 0) {
      throw new TypeError(
        `the bot "${this.#name}" listens to nothing: add a handler with .on, .hears or .command`,
      );
    }
    const handler: Handler<InboundTrigger> = (ctx) => runLinks([chain], ctx, async () => {});
    const on = Object.fromEntries([...triggers].map((trigger) => [trigger, handler]));
    return defineBot({ name: this.#name, ...this.#options, on });
  }
}

/** What a bot has beside its handlers. */
export type BotOptions = Pick<Bot, "maxAge">;

/**
 * Makes a bot part by part: what is written first gets an event first, and who takes it has it alone, unless it
 * hands it on by `await next()`.
 *
 * @typeParam X What its middleware adds to `ctx`.
 *
 * @example
 * export default createBot("greeter")
 *   .hears(["hi", "hello"], (ctx) => ctx.reply("Hello!"))
 *   .command("/roll", (ctx) => ctx.reply(`You rolled ${ctx.args[0] ?? "a die"}.`))
 *   .on("user.followed", (ctx) => ctx.reply("Thank you for following."));
 *
 * @throws {TypeError} when the name or an option can't be, as in {@link defineBot}.
 */
export function createBot<X extends object = object>(
  name: string,
  options: BotOptions = {},
): BotBuilder<X> {
  return new BotBuilder<X>(name, options);
}
