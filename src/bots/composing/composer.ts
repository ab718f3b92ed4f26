import { INBOUND_TRIGGERS, type InboundTrigger } from "../../events/triggers.ts";
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
 * Parts of a bot, in the order in which they are written. An event goes through them one after the other until one
 * takes it: a handler does, unless it hands the event on by `await next()`.
 *
 * A handler that waits is run again from its start, and all that comes before it with it: so middleware keeps to
 * what holds for handlers, and what it asks for goes on record like theirs.
 *
 * @typeParam X What middleware before it adds to `ctx`.
 */
export class Composer<X extends object = object> {
  readonly #links: Link[] = [];
  #errorHandler: ErrorHandler<ContextOf<InboundTrigger, X>> | undefined;
  #isInUse = false;

  /** Middleware for every event that comes here. By itself it wakes the bot for none. */
  use(...parts: readonly BotPart<ContextOf<InboundTrigger, X>>[]): this {
    return this.#add(parts, [], (ctx) => ctx);
  }

  /** Handlers of events with one of some triggers. */
  on<T extends InboundTrigger>(
    trigger: T | readonly T[],
    ...parts: readonly BotPart<ContextOf<T, X>>[]
  ): this {
    const triggers: readonly T[] = typeof trigger === "string" ? [trigger] : trigger;
    for (const one of triggers) {
      if (INBOUND_TRIGGERS.includes(one)) continue;
      throw new TypeError(`"${one}" starts no bot; write one of: ${INBOUND_TRIGGERS.join(", ")}`);
    }
    return this.#add(parts, triggers, (ctx) => {
      const found = triggers.find((one) => ctx.triggers.includes(one));
      return found && extended(ctx, { trigger: found });
    });
  }

  /**
   * Handlers of what people write, to the account alone or in public, where it has a pattern, a word or one of
   * some words in it. `ctx.match` is what was found.
   *
   * Words stand there as whole words, compared as `contains_word` of rules compares them. A pattern is one of
   * JavaScript, held against the text as it is written.
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
   * Handlers of what people write that begins with a command such as `/roll`: `ctx.match` is what stands behind
   * it, `ctx.args` the same in pieces. In a post it may stand behind the handles that the post begins with.
   */
  command(commands: string | readonly string[], ...parts: readonly BotPart<Commanded<X>>[]): this {
    const find = commandFinder(commands);
    return this.#add(parts, SPOKEN, (ctx) => {
      const said = heard(ctx, find);
      return said && extended(ctx, said);
    });
  }

  /** Handlers of those events that a predicate holds of; one that is a type guard narrows what they get. */
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

  /** Called with what the parts of this composer throw. What it throws itself fails the handler. */
  onError(handler: ErrorHandler<ContextOf<InboundTrigger, X>>): this {
    this.#mustBeOpen();
    mustBeFunction(handler, "onError takes a handler");
    if (this.#errorHandler !== undefined) throw new TypeError("onError was called twice");
    this.#errorHandler = handler;
    return this;
  }

  /** All of it, as one middleware. */
  middleware(): Middleware<ContextOf<InboundTrigger, X>> {
    const { run } = this.asLink();
    return run;
  }

  /** All of it, as one link of a chain. What is added from now on is refused. */
  protected asLink(): Link {
    this.#isInUse = true;
    return {
      wants: () => this.#links.flatMap((link) => link.wants()),
      run: (ctx, next) => this.#run(ctx, next),
    };
  }

  async #run(ctx: BotContext, next: NextHandler): Promise<void> {
    // what comes after it is not this one's to judge
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

  /** @param narrow Gives the context as the parts get it; undefined: the event is not for them. */
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
    // `#add` is given a `narrow` that makes what the part gets
    return { run: run as Middleware<BotContext>, wants: () => [] };
  }

  #mustBeOpen(): void {
    if (!this.#isInUse) return;
    throw new TypeError(
      "what is in use takes no more handlers: add them all at the top level of the module, and before it is a part of another",
    );
  }
}

/** A handler, middleware, or a composer: parts that were put together elsewhere. */
export type BotPart<C> = Middleware<C> | Parts<C>;

/** What can be used as one middleware. */
export interface Parts<C> {
  /** All of it, as one. */
  readonly middleware: () => Middleware<C>;
}

type Narrowed = BotContext | undefined;

/** Parts of a bot that are put together on their own, to be used in one bot or several. */
export function createComposer<X extends object = object>(): Composer<X> {
  return new Composer<X>();
}

/** What stands in what the person wrote, where they wrote it to the account. */
function heard<M>(ctx: BotContext, find: Finder<M>): M | undefined {
  const isSpoken = SPOKEN.some((trigger) => ctx.triggers.includes(trigger));
  return isSpoken && ctx.text !== undefined ? find(ctx.text) : undefined;
}

/** The middleware before has added it, as the author has declared. */
function withAdded<X extends object>(ctx: BotContext): ContextOf<InboundTrigger, X> {
  return ctx as ContextOf<InboundTrigger, X>;
}

/** The run has failed with it already, whoever catches it. */
function isFinal(error: unknown, { signal }: BotContext): boolean {
  return error instanceof RecordError || signal.aborted;
}

/** Modules are not all type-checked. */
function mustBeFunction(given: unknown, rule: string): void {
  if (typeof given === "function") return;
  throw new TypeError(`${rule}, got ${JSON.stringify(given) ?? String(given)}`);
}
