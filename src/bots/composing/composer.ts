import { INBOUND_TRIGGERS, type InboundTrigger } from "../../events/triggers.ts";
import { noTrigger } from "../loading/no-bot.ts";
import type { BotContext } from "../define.ts";
import { RecordError } from "../durable/recorded-calls.ts";
import { commandFinder, type Finder, patternFinder, SPOKEN, wordFinder } from "./heard.ts";
import {
  type Commanded,
  type ContextOf,
  type ErrorHandler,
  extended,
  type Heard,
  type Link,
  type Middleware,
  type NextHandler,
  runLinks,
} from "./middleware.ts";

/**
 * Ordered parts of a bot. An event passes through the parts until a handler handles it. A handler that calls
 * `await next()` passes the event on to the later parts.
 *
 * After a wait, a handler runs again from its start, together with the middleware before it. Middleware must therefore
 * follow the same rules as handlers, and its durable calls are recorded too.
 *
 * @typeParam X Properties that earlier middleware adds to `ctx`.
 */
export class Composer<X extends object = object> {
  readonly #links: Link[] = [];
  #errorHandler: ErrorHandler<ContextOf<InboundTrigger, X>> | undefined;
  #isInUse = false;

  /**
   * Adds middleware for every event that reaches the composer. Middleware alone does not make the bot receive any
   * events.
   */
  use(...parts: readonly BotPart<ContextOf<InboundTrigger, X>>[]): this {
    return this.#add(parts, [], (ctx) => ctx);
  }

  /** Adds handlers for events with any of the triggers. */
  on<T extends InboundTrigger>(
    trigger: T | readonly T[],
    ...parts: readonly BotPart<ContextOf<T, X>>[]
  ): this {
    const triggers: readonly T[] = typeof trigger === "string" ? [trigger] : trigger;
    for (const one of triggers) {
      if (INBOUND_TRIGGERS.includes(one)) continue;
      throw new TypeError(noTrigger(one));
    }
    return this.#add(parts, triggers, (ctx) => {
      const matchedTrigger = triggers.find((one) => ctx.triggers.includes(one));
      return matchedTrigger && extended(ctx, { trigger: matchedTrigger });
    });
  }

  /**
   * Adds handlers for messages and posts to the account that match a pattern, a word, or one of several words.
   * `ctx.match` is the match.
   *
   * Words match only whole words, as with `contains_word` in rules. A pattern is a JavaScript regular expression, which
   * is applied to the unchanged text.
   */
  hears(pattern: RegExp, ...parts: readonly BotPart<Heard<RegExpExecArray, X>>[]): this;
  hears(words: string | readonly string[], ...parts: readonly BotPart<Heard<string, X>>[]): this;
  hears(what: RegExp | string | readonly string[], ...parts: readonly BotPart<never>[]): this {
    const find: Finder<unknown> = what instanceof RegExp ? patternFinder(what) : wordFinder(what);
    return this.#add(parts, SPOKEN, (ctx) => {
      const match = heard(ctx, find);
      return match === undefined ? undefined : extended(ctx, { match });
    });
  }

  /**
   * Adds handlers for messages and posts that begin with a command such as `/roll`. `ctx.match` is the text after the
   * command, and `ctx.args` is that text split into words. In a post, handles may precede the command.
   */
  command(commands: string | readonly string[], ...parts: readonly BotPart<Commanded<X>>[]): this {
    const find = commandFinder(commands);
    return this.#add(parts, SPOKEN, (ctx) => {
      const said = heard(ctx, find);
      return said && extended(ctx, said);
    });
  }

  /**
   * Adds handlers for events for which a predicate returns true. If the predicate is a type guard, it narrows the type
   * of `ctx`.
   */
  filter<C extends ContextOf<InboundTrigger, X>>(
    predicate: (ctx: ContextOf<InboundTrigger, X>) => ctx is C,
    ...parts: readonly BotPart<C>[]
  ): this;
  filter(
    predicate: (ctx: ContextOf<InboundTrigger, X>) => boolean | Promise<boolean>,
    ...parts: readonly BotPart<ContextOf<InboundTrigger, X>>[]
  ): this;
  filter(
    predicate: (ctx: ContextOf<InboundTrigger, X>) => boolean | Promise<boolean>,
    ...parts: readonly BotPart<never>[]
  ): this {
    mustBeFunction(predicate, "filter takes a predicate first");
    return this.#add(parts, [], async (ctx) =>
      (await predicate(withAdded<X>(ctx))) ? ctx : undefined,
    );
  }

  /**
   * Sets the handler for errors that the parts of this composer throw. If it throws an error itself, the event's
   * handler fails.
   */
  onError(handler: ErrorHandler<ContextOf<InboundTrigger, X>>): this {
    this.#mustBeOpen();
    mustBeFunction(handler, "onError takes a handler");
    if (this.#errorHandler !== undefined) throw new TypeError("onError was called twice");
    this.#errorHandler = handler;
    return this;
  }

  /** Returns middleware that runs all parts in order. */
  middleware(): Middleware<ContextOf<InboundTrigger, X>> {
    const { run } = this.asLink();
    return run;
  }

  /** Returns a link of a chain that runs all parts in order. No parts can be added afterwards. */
  protected asLink(): Link {
    this.#isInUse = true;
    return {
      wants: () => this.#links.flatMap((link) => link.wants()),
      run: (ctx, next) => this.#run(ctx, next),
    };
  }

  async #run(ctx: BotContext, next: NextHandler): Promise<void> {
    // errors of parts after this composer are not passed to its error handler
    let beyond: { readonly error: unknown } | undefined;
    const handOn = async (): Promise<void> => {
      try {
        await next();
      } catch (error) {
        beyond = { error };
        throw error;
      }
    };
    try {
      await runLinks(this.#links, ctx, handOn);
    } catch (error) {
      const isOthers = beyond !== undefined && beyond.error === error;
      if (this.#errorHandler === undefined || isOthers || isFinal(error, ctx)) throw error;
      await this.#errorHandler(error, withAdded<X>(ctx));
    }
  }

  /** @param narrow Returns the context for the parts; undefined if the event does not match. */
  #add(
    parts: readonly BotPart<never>[],
    triggers: readonly InboundTrigger[],
    narrow: (ctx: BotContext) => Narrowed | Promise<Narrowed>,
  ): this {
    this.#mustBeOpen();
    if (parts.length === 0) throw new TypeError("there is no handler: give a function");
    const links = parts.map((part) => this.#linkOf(part));
    this.#links.push({
      wants: () => (triggers.length > 0 ? triggers : links.flatMap((link) => link.wants())),
      async run(ctx, next) {
        const narrowed = await narrow(ctx);
        return narrowed === undefined ? next() : runLinks(links, narrowed, next);
      },
    });
    return this;
  }

  #linkOf(part: BotPart<never>): Link {
    if (part instanceof Composer) {
      if (part === this) throw new TypeError("a composer can't be a part of itself");
      return part.asLink();
    }
    const run = typeof part === "object" && part !== null ? part.middleware?.() : part;
    mustBeFunction(run, "a handler is a function or a composer");
    // the `narrow` argument of `#add` returns the context that the part expects
    return { run: run as Middleware<BotContext>, wants: () => [] };
  }

  #mustBeOpen(): void {
    if (!this.#isInUse) return;
    throw new TypeError(
      "what is in use takes no more handlers: add them all at the top level of the module, and before it is a part of another",
    );
  }
}

/** A handler, middleware, or a composer, as the methods of a bot accept them. */
export type BotPart<C> = Middleware<C> | Parts<C>;

/** An object whose parts can be used as one middleware, such as a composer. */
export interface Parts<C> {
  /** Returns middleware that runs all parts in order. */
  readonly middleware: () => Middleware<C>;
}

type Narrowed = BotContext | undefined;

/** Creates a composer: parts that can be used in several bots. */
export function createComposer<X extends object = object>(): Composer<X> {
  return new Composer<X>();
}

/** Searches the text of a message or post to the account; undefined for other events, and without a match. */
function heard<M>(ctx: BotContext, find: Finder<M>): M | undefined {
  const isSpoken = SPOKEN.some((trigger) => ctx.triggers.includes(trigger));
  return isSpoken && ctx.text !== undefined ? find(ctx.text) : undefined;
}

/** Casts the context to a type that includes the properties added by the author's middleware. */
function withAdded<X extends object>(ctx: BotContext): ContextOf<InboundTrigger, X> {
  return ctx as ContextOf<InboundTrigger, X>;
}

/** Whether an error must reach the runtime: the run has failed or was cancelled, so no error handler may catch it. */
function isFinal(error: unknown, { signal }: BotContext): boolean {
  return error instanceof RecordError || signal.aborted;
}

/** Checks at run time that a value is a function, because bot modules may be untyped. */
function mustBeFunction(candidate: unknown, rule: string): void {
  if (typeof candidate === "function") return;
  throw new TypeError(`${rule}, got ${JSON.stringify(candidate) ?? String(candidate)}`);
}
