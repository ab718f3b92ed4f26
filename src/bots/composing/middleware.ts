import type { InboundTrigger } from "../../events/triggers.ts";
import type { BotContext, SpokenTrigger } from "../define.ts";

/**
 * Middleware or handler of an event. `await next()` passes the event to the later parts; without this call, they do not
 * run.
 *
 * @typeParam C Context of the event.
 */
export type Middleware<C> = (ctx: C, next: NextHandler) => unknown;

/** Passes the event to the later parts. Resolves when they have finished. */
export type NextHandler = () => Promise<void>;

/** Handles an error that a part has thrown. If the error handler throws an error too, the event's handler fails. */
export type ErrorHandler<C> = (error: unknown, ctx: C) => unknown;

/** Context of a handler for the trigger `T`. `X` are the properties that earlier middleware has added. */
export type ContextOf<T extends InboundTrigger, X extends object> = BotContext<T> & X;

/** Context of a handler that was added with `hears`. */
export type Heard<M, X extends object = object> = ContextOf<SpokenTrigger, X> & {
  /** Result of `RegExp.exec` for a pattern; the matching word for words. */
  readonly match: M;
};

/** Context of a handler that was added with `command`. */
export type Commanded<X extends object = object> = ContextOf<SpokenTrigger, X> & {
  /** The command as the author registered it. */
  readonly command: string;
  /** Text after the command, without white space at its ends. */
  readonly match: string;
  /** The text in `match`, split at white space; a quoted part is one piece. */
  readonly args: readonly string[];
};

/** Part of a bot in the order of its parts: middleware, and the triggers for which the bot must get events. */
export interface Link {
  readonly run: Middleware<BotContext>;
  /** Returns the triggers of the events that the part handles. */
  readonly wants: () => readonly InboundTrigger[];
}

/** Runs parts in order, each when the previous part calls `next`. The `next` of the last part runs `after`. */
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

/**
 * Returns a context with further properties. The context inherits from `ctx`, so properties that are added to `ctx`
 * later are visible in the returned context, too.
 */
export function extended<C extends object, M extends object>(ctx: C, more: M): C & M {
  const extendedContext: object = Object.create(ctx, Object.getOwnPropertyDescriptors(more));
  // `extendedContext` inherits all of C from `ctx`, and has all of M as own properties
  return extendedContext as C & M;
}
