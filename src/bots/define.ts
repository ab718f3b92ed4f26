import type { Action } from "../actions/actions.ts";
import type { EventOf, Person } from "../events/event.ts";
import type { InboundTrigger } from "../events/triggers.ts";
import { DURATION, durationMs } from "../system/duration.ts";
import type { BotText } from "./said.ts";
import type { DurableCalls } from "./durable/durable-calls.ts";
import type { HandOverOptions } from "./durable/hand-over.ts";
import type { SendOutcome } from "./durable/send-outcome.ts";
import type { BotClient } from "./platform/bot-client.ts";

/**
 * Makes a bot: a name and a handler for each trigger that it listens to.
 *
 * A bot module's default export is one of these. Handlers run again for the same event
 * after a crash, and after each wait; what they send goes out once all the same, because each reply is keyed
 * by event, bot and ordinal. Side effects elsewhere belong into `ctx.step`.
 *
 * @example
 * export default defineBot({
 *   name: "greeter",
 *   on: {
 *     "dm.received": async (ctx) => {
 *       if (ctx.event.message.text === "hi") await ctx.reply("hello");
 *     },
 *   },
 * });
 *
 * @throws {TypeError} when the name is not 1 to 64 letters, digits, `-` or `_`, or `maxAge` is no duration.
 */
export function defineBot(bot: Bot): Bot {
  if (!/^[\w-]{1,64}$/.test(bot.name)) {
    throw new TypeError(
      `a bot's name is 1 to 64 letters, digits, "-" or "_", got ${JSON.stringify(bot.name)}`,
    );
  }
  maxAgeMsOfBot(bot);
  return bot;
}

/**
 * The age past which events don't call the bot, in milliseconds; `undefined`: that of each trigger.
 *
 * @throws {TypeError} when it is neither a duration nor `none`.
 */
export function maxAgeMsOfBot({ name, maxAge }: Bot): number | "none" | undefined {
  if (maxAge === undefined || maxAge === "none") return maxAge;
  if (typeof maxAge === "string" && DURATION.test(maxAge)) return durationMs(maxAge);
  throw new TypeError(
    `the maxAge of the bot "${name}" is a duration such as "6h", or "none", got ${JSON.stringify(maxAge)}`,
  );
}

/** A bot module's default export. */
export interface Bot {
  /** Unique among the bots of a runtime. Shown in logs, and part of what keys its replies. */
  readonly name: string;
  /**
   * Older events don't call it: a duration such as `30m`, `6h` or `2d`, or `none` for any age.
   *
   * What comes late, by a replay or after a time away, is answered up to this age. Unless said it is 24
   * hours for messages, posts and mentions and 1 hour for likes, follows, typing and the like, as for rules.
   */
  readonly maxAge?: string;
  readonly on: Handlers;
}

/**
 * Handlers by trigger; an event with several of a bot's triggers calls each of them, and a function that stands
 * under several of them once.
 *
 * What the account itself does starts no bot, or two bots could answer each other for ever.
 */
export type Handlers = { readonly [T in InboundTrigger]?: Handler<T> };

/** Called once per event; what it throws is logged and hurts no other bot or rule. */
export type Handler<T extends InboundTrigger> = (ctx: BotContext<T>) => void | Promise<void>;

/** What a handler sees and can do. */
export interface BotContext<T extends InboundTrigger = InboundTrigger> extends DurableCalls<T> {
  readonly trigger: T;
  /** All triggers of the event that the bot listens to. */
  readonly triggers: readonly InboundTrigger[];
  readonly event: EventOf<T>;
  /** What the person wrote: the text of the message or of their post; undefined where they wrote nothing. */
  readonly text: T extends SpokenTrigger ? string : string | undefined;
  /** Who caused the event. */
  readonly sender: Person;
  /** The account that the event belongs to and that answers. */
  readonly account: BotAccount;
  /**
   * Milliseconds since the epoch, by the platform's clock: when the run began, and after something that it
   * waited for, when that came. The same each time the handler is run again.
   */
  readonly now: number;
  /** The event came through a replay or backfill, so it can be hours old. */
  readonly replayed: boolean;
  /**
   * A rule has queued an answer to this event or is at work on one. Rules decide before bots are
   * called, and what this says stays the same when the handler has to run again.
   */
  readonly answered: boolean;
  /** Aborted when the handler has run too long; while it waits it does not run. Hand it to `fetch`. */
  readonly signal: AbortSignal;
  /**
   * Answers where the event came from: a post with a reply post, anything else with a message to the
   * sender.
   *
   * The answer is kept when the handler comes to a step, waits or ends, also when it throws later, and sent
   * after that.
   *
   * @param said A text, or `{ text, media }` with the file of a picture or video.
   * @throws {TypeError} when there is no text, the file is no picture or video, or there is nobody to answer.
   */
  reply(said: BotText): Promise<void>;
  /** Posts something of the account's own that answers nobody; it goes out as `reply` does. */
  post(said: BotText): Promise<void>;
  /**
   * Asks for any action; it goes out as `reply` does. `to` decides which conversation's order it keeps.
   *
   * @throws {TypeError} when it is not an action, or the hundred-and-first of this event.
   */
  send(action: Action): Promise<void>;
  /**
   * Asks for any action, and has it leave at once: it is kept with all that was asked for before it, and goes out once,
   * however often the handler is run again.
   *
   * @returns What has become of it: what the platform made, or why it did not. Never rejects for a refusal.
   * @throws {TypeError} as `send`.
   */
  sendNow(action: Action, options?: SendNowOptions): Promise<SendOutcome>;
  /**
   * The platform's interface as the account. Look-ups may be made anywhere, and what they gave is remembered for when
   * the handler is run again; what changes something is refused outside `ctx.step`.
   *
   * @example
   * const { data } = await ctx.client.users.get(ctx.sender.id, { userFields: ["public_metrics"] });
   */
  readonly client: BotClient;
  /**
   * Asks a person to take over, as the step `escalate` of rules does: it is in `answerback escalations` until somebody
   * says that it is resolved. It is kept as an answer is.
   *
   * @param note What they should know; of a long one the first 2,000 characters are kept.
   * @throws {TypeError} for a queue, a priority, a pause or evidence that can't be.
   */
  handOver(note: string, options?: HandOverOptions): Promise<void>;
  /**
   * Writes to the runtime's log, with the bot's name and the event's key.
   *
   * @param fields Further fields of the line; `level`, `time` and `msg` are written as `field_level` and so on.
   */
  log(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** How long `sendNow` waits for what becomes of its action. */
export interface SendNowOptions {
  /** Such as `5s`; 10 seconds unless given, 20 at most. What is on its way then is `pending`, and goes on. */
  readonly timeout?: string;
}

/** Triggers of what people write to the account. */
export type SpokenTrigger = "dm.received" | "post.mentioned" | "post.replied" | "post.quoted";

/** The account that an event belongs to. */
export interface BotAccount {
  readonly id: string;
  /** The handle, without `@`. */
  readonly username: string;
}
