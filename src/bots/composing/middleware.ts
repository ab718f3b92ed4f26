import type { InboundTrigger } from "../../events/triggers.ts";
import type { BotContext, SpokenTrigger } from "../define.ts";

/**
 * Does something with an event, and has those after it get it by `await next()`; without that the event is done.
 *
 * @typeParam C What it gets.
 */
export type Middleware<C> = (ctx: C, next: NextHandler) => unknown;

/** Hands the event on to what comes after; resolves when that is done. */
export type NextHandler = () => Promise<void>;

/** Looks at what was thrown. What it throws itself, also the same again, fails the handler. */
export type ErrorHandler<C> = (error: unknown, ctx: C) => unknown;

/** What a handler of `T` gets; `X` is what the middleware before it adds. */
export type ContextOf<T extends InboundTrigger, X extends object> = BotContext<T> & X;

/** What a handler gets of something that was heard. */
export type Heard<M, X extends object = object> = ContextOf<SpokenTrigger, X> & {
  /** What a pattern found, as `RegExp.exec` gives it; the word that stands in the text. */
  readonly match: M;
};

/** What the handler of a command gets. */
export type Commanded<X extends object = object> = ContextOf<SpokenTrigger, X> & {
  /** The command, as it was registered. */
  readonly command: string;
  /** What stands behind the command, without white space around it. */
  readonly match: string;
  /** The same in pieces, at white space; what stands in quotes is one. */
  readonly args: readonly string[];
};

/** One part of a chain: middleware, and what is known of the events that it is for. */
export interface Link {
  readonly run: Middleware<BotContext>;
  /** Triggers whose events it wants. */
  readonly wants: () => readonly InboundTrigger[];
}

/** Runs links one after the other, as far as each calls `next`; then `after`. */
export async function runLinks(
  links: readonly Link[],
  ctx: BotContext,
  after: NextHandler,
): Promise<void> {
  const runFrom = async (place: number): Promise<void> => {
    const link = links[place];
    if (link === undefined) return after();
    let isDone = false;
    await link.run(ctx, () => {
      if (isDone) throw new TypeError("next() was called twice: an event is handed on once");
      isDone = true;
      return runFrom(place + 1);
    });
  };
  return runFrom(0);
}

/** The same context with something more; what others add to it later is seen in both. */
export function extended<C extends object, M extends object>(ctx: C, more: M): C & M {
  const made: object = Object.create(ctx, Object.getOwnPropertyDescriptors(more));
  // its prototype has all of C, and it has all of M itself
  return made as C & M;
}
