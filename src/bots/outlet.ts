import * as z from "zod";
import type { Action } from "../actions/action.ts";
import type { FromThread, Handling } from "./messages.ts";

/** Where what a handler asks for goes. */
export interface Outlet {
  readonly signal: AbortSignal;
  /** What was asked for so far. */
  readonly actions: readonly Action[];
  /** @throws {TypeError} when it is no action, or one too many. */
  act(action: Action): void;
  log(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A handler that asks for more is in a loop, and an event is kept with all its actions. */
const MOST_ACTIONS = 100;
const MOST_LOG_LINES = 100;

const text = z.string().min(1);
const actionSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("reply_dm"), to: text, text }),
  z.strictObject({ type: z.literal("reply_post"), inReplyTo: text, to: text, text }),
  z.strictObject({ type: z.literal("like"), postId: text, to: text }),
  z.strictObject({ type: z.literal("follow"), to: text }),
]) satisfies z.ZodType<Action>;

/** An outlet for one handler call; bot modules are not all type-checked, so what they give is. */
export function outletTo(
  { bot, event }: Handling,
  signal: AbortSignal,
  say: (message: FromThread) => void,
): Outlet {
  const actions: Action[] = [];
  let lines = 0;
  return {
    signal,
    actions,
    act(action) {
      const checked = actionSchema.safeParse(action);
      if (!checked.success) throw new TypeError(`no action: ${z.prettifyError(checked.error)}`);
      if (actions.length >= MOST_ACTIONS) {
        throw new TypeError(`a handler asks for ${MOST_ACTIONS} actions at most for one event`);
      }
      actions.push(checked.data);
    },
    log(message, fields) {
      lines += 1;
      if (lines > MOST_LOG_LINES + 1) return;
      const said =
        lines > MOST_LOG_LINES
          ? { message: `more than ${MOST_LOG_LINES} lines for one event: the rest is dropped` }
          : {
              message,
              ...(fields === undefined ? {} : { fields: loggable(fields) }),
            };
      say({ type: "log", level: "info", bot, key: event.key, ...said });
    },
  };
}

/** Fields as plain data. A log line that can't be written must not fail the handler. */
function loggable(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(fields));
    return z.record(z.string(), z.unknown()).parse(plain);
  } catch (error) {
    return { unloggable: error instanceof Error ? error.message : String(error) };
  }
}
