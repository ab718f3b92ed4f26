import type { InboundTrigger } from "../../events/triggers.ts";
import { type Bot, defineBot, type Handler } from "../define.ts";
import { Composer } from "./composer.ts";
import { runLinks } from "./middleware.ts";

/** A bot that is built part by part. A module can export it by default without calling {@link BotBuilder.toBot}. */
export class BotBuilder<X extends object = object> extends Composer<X> {
  readonly #name: string;
  readonly #options: BotOptions;

  constructor(name: string, options: BotOptions) {
    super();
    if (typeof name === "object") {
      throw new TypeError(
        'createBot takes the name; write  createBot("...").hears("hi", async (ctx) => {}),  or defineBot with a map',
      );
    }
    // checks the name and options here, so that an error points at the author's call
    defineBot({ name, ...options, on: {} });
    this.#name = name;
    this.#options = options;
  }

  /**
   * Converts the parts to a bot in the form of {@link defineBot}. It has the same handler for every trigger that a part
   * needs. The runtime calls this method for a module's default export.
   *
   * @throws {TypeError} if no part needs any event.
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

/** Options of a bot besides its handlers. */
export type BotOptions = Pick<Bot, "maxAge" | "in">;

/**
 * Creates a bot part by part. Parts get an event in the order in which they were added. Parts after the first matching
 * handler get the event only if this handler calls `await next()`.
 *
 * @typeParam X Properties that the bot's middleware adds to `ctx`.
 *
 * @example
 * export default createBot("greeter")
 *   .hears(["hi", "hello"], (ctx) => ctx.reply("Hello!"))
 *   .command("/roll", (ctx) => ctx.reply(`You rolled ${ctx.args[0] ?? "a die"}.`))
 *   .on("user.followed", (ctx) => ctx.reply("Thank you for following."));
 *
 * @throws {TypeError} if the name or an option is invalid, as in {@link defineBot}.
 */
export function createBot<X extends object = object>(
  name: string,
  options: BotOptions = {},
): BotBuilder<X> {
  return new BotBuilder<X>(name, options);
}
