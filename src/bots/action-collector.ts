import * as z from "zod";
import { type Action, actionSchema } from "../actions/actions.ts";
import type { FromThread, Handling } from "./messages.ts";

/** Takes what one handler call asks for. */
export interface ActionCollector {
  readonly signal: AbortSignal;
  /** What it asked for so far. */
  readonly actions: readonly Action[];
  /**
   * Gives the action as it is to be kept.
   *
   * @throws {TypeError} when it is not an action, or one too many.
   */
  act(action: Action): Action;
  log(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A handler that asks for more is in a loop, and all its actions are kept in one transaction. */
const MOST_ACTIONS = 100;
const MOST_LOG_LINES = 100;

/** A collector for one handler call. Bot modules are not all type-checked, so what they give is checked here. */
export function collectActions(
  { bot, event }: Handling,
  signal: AbortSignal,
  post: (message: FromThread) => void,
): ActionCollector {
  const actions: Action[] = [];
  let lines = 0;
  return {
    signal,
    actions,
    act(action) {
      const checked = actionSchema.safeParse(action);
      if (!checked.success)
        throw new TypeError(`the action was refused: ${z.prettifyError(checked.error)}`);
      if (actions.length >= MOST_ACTIONS) {
        throw new TypeError(`a handler asks for ${MOST_ACTIONS} actions at most for one event`);
      }
      actions.push(checked.data);
      return checked.data;
    },
    log(message, fields) {
      lines += 1;
      if (lines > MOST_LOG_LINES + 1) return;
      const line =
        lines > MOST_LOG_LINES
          ? { message: `more than ${MOST_LOG_LINES} lines for one event: the rest is dropped` }
          : {
              message,
              ...(fields === undefined ? {} : { fields: loggable(fields) }),
            };
      post({ type: "log", level: "info", bot, key: event.key, ...line });
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
