import * as z from "zod";
import { type Action, actionSchema } from "../actions/actions.ts";
import { type HandOverOptions, handOverOf } from "./durable/hand-over.ts";
import type { AskedHandOver } from "./durable/record.ts";
import { isPublic } from "../actions/parts.ts";
import type { FromThread, Handling } from "./messages.ts";
import { faultOf, shortened } from "./thrown.ts";

/** Collects the actions of one handler call, and forwards its log lines. */
export interface ActionCollector {
  readonly signal: AbortSignal;
  /** Actions that the handler has requested so far. */
  readonly actions: readonly Action[];
  /**
   * Checks an action, and adds it to `actions`. Returns the action in its stored form.
   *
   * @throws {TypeError} if it is not an action, is a post of white space, or is the 101st action of the event.
   */
  act(action: Action): Action;
  /**
   * Checks a hand-over, and returns it in its stored form.
   *
   * @throws {TypeError} if an option is invalid, or it is the 101st hand-over of the event.
   */
  handOver(note: string, options?: HandOverOptions): AskedHandOver;
  log(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/**
 * Maximum numbers of actions and of hand-overs of a handler call, since one transaction stores them all. They stop
 * handlers that loop.
 */
const MAX_ACTIONS = 100;
const MAX_HAND_OVERS = 100;
const MAX_LOG_LINES = 100;

/** Creates the collector of one handler call. It checks actions, because bot modules may be untyped. */
export function collectActions(
  { bot, event }: Handling,
  signal: AbortSignal,
  post: (message: FromThread) => void,
): ActionCollector {
  const actions: Action[] = [];
  let handOvers = 0;
  let lines = 0;
  return {
    signal,
    actions,
    act(action) {
      const checked = actionSchema.safeParse(withoutUndefined(action));
      if (!checked.success)
        throw new TypeError(`the action was refused: ${z.prettifyError(checked.error)}`);
      if (isBlankPost(checked.data)) {
        throw new TypeError("the action was refused: a post takes a text, media or a poll");
      }
      if (actions.length >= MAX_ACTIONS) {
        throw new TypeError(`a handler asks for ${MAX_ACTIONS} actions at most for one event`);
      }
      actions.push(checked.data);
      return checked.data;
    },
    handOver(note, options) {
      const checked = handOverOf(note, options, bot);
      handOvers += 1;
      if (handOvers <= MAX_HAND_OVERS) return checked;
      throw new TypeError(`a handler hands over ${MAX_HAND_OVERS} times at most for one event`);
    },
    log(message, fields) {
      lines += 1;
      if (lines > MAX_LOG_LINES + 1) return;
      const line =
        lines > MAX_LOG_LINES
          ? { message: `more than ${MAX_LOG_LINES} lines for one event: the rest is dropped` }
          : {
              message: typeof message === "string" ? shortened(message) : faultOf(message).message,
              ...(fields === undefined ? {} : { fields: loggable(fields) }),
            };
      post({ type: "log", level: "info", bot, key: event.key, ...line });
    },
  };
}

/** Whether an action would publish white space only, which the platform refuses. */
function isBlankPost(action: Action): boolean {
  if (!isPublic(action) || action.text.trim() !== "") return false;
  return !("media" in action || "poll" in action);
}

/**
 * Removes the fields of an action that are undefined. TypeScript accepts them for optional fields, unless
 * `exactOptionalPropertyTypes` is set.
 */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null || value instanceof URL) return value;
  const setFields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(setFields.map(([key, field]) => [key, withoutUndefined(field)]));
}

/** Maximum characters of a line's fields as JSON. Each text in them has the bound of messages. */
const MAX_FIELDS_CHARACTERS = 20_000;

/**
 * Converts log fields to plain data. Fields that JSON can't represent must not make the handler fail. Untyped code may
 * pass any value, such as an error.
 */
function loggable(fields: unknown): Readonly<Record<string, unknown>> {
  if (fields instanceof Error) {
    const { message, place } = faultOf(fields);
    return { error: message, ...(place !== undefined && { place }) };
  }
  try {
    // undefined for a function or a symbol
    const text: string | undefined = JSON.stringify(fields, (_, field: unknown) => {
      // JSON would write an error as {}
      if (field instanceof Error) return faultOf(field).message;
      if (typeof field === "string") return shortened(field);
      return typeof field === "bigint" ? String(field) : field;
    });
    if (text === undefined) return { value: faultOf(fields).message };
    if (text.length > MAX_FIELDS_CHARACTERS) return { cut: shortened(text) };
    const plain: unknown = JSON.parse(text);
    const record = z.record(z.string(), z.unknown()).safeParse(plain);
    return record.success ? record.data : { value: plain };
  } catch (error) {
    return { unloggable: error instanceof Error ? error.message : String(error) };
  }
}
