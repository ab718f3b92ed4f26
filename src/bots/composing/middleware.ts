import type { InboundTrigger } from "../../events/triggers.ts";
import type { BotContext, SpokenTrigger } from "../define.ts";

/**
 * Handles an event. `await next()` passes the event to the later parts; without it the event ends here.
 *
 * @typeParam C Context of the event.
 */
export type Middleware<C> = (ctx: C, next: NextHandler) => unknown;

/** Passes the event to the later parts; resolves when they have finished. */
export type NextHandler = () => Promise<void>;

/** Handles a thrown error. If it throws the error again, or another one, the event handler fails. */
export type ErrorHandler<C> = (error: unknown, ctx: C) => unknown;

/** Context of a handler of `T`; `X` holds the additions of earlier middleware. */
export type ContextOf<T extends InboundTrigger, X extends object> = BotContext<T> & X;

/** Context of a `hears` handler. */
export type Heard<M, X extends object = object> = ContextOf<SpokenTrigger, X> & {
  /** For a pattern the result of `RegExp.exec`, for words the matching word. */
  readonly match: M;
};

/** Context of a command's handler. */
export type Commanded<X extends object = object> = ContextOf<SpokenTrigger, X> & {
  /** The command as registered. */
  readonly command: string;
  /** Text after the command, trimmed. */
  readonly match: string;
  /** `match` split at white space; a quoted part is one piece. */
  readonly args: readonly string[];
};

/** Link of a chain: middleware and its triggers. */
export interface Link {
  readonly run: Middleware<BotContext>;
  /** Triggers that the link needs. */
  readonly wants: () => readonly InboundTrigger[];
}

/** Runs links in order as long as each calls `next`, then `after`. */
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

/** Returns a context with more properties. It inherits from `ctx`, so later additions to `ctx` are visible in both. */
export function extended<C extends object, M extends object>(ctx: C, more: M): C & M {
  const extendedContext: object = Object.create(ctx, Object.getOwnPropertyDescriptors(more));
  // `extendedContext` has all of C by its prototype, and all of M as own properties
  return extendedContext as C & M;
}
