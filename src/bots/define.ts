import type { Action } from "../actions/actions.ts";
import { CONVERSATION_SCOPES, type ConversationScope } from "../events/conversation.ts";
import type { EventOf, Person } from "../events/event.ts";
import type { InboundTrigger } from "../events/triggers.ts";
import { DURATION, durationMs } from "../system/duration.ts";
import type { BotText } from "./said.ts";
import type { DurableCalls } from "./durable/durable-calls.ts";
import type { HandOverOptions } from "./durable/hand-over.ts";
import type { SendOutcome } from "./durable/send-outcome.ts";
import type { BotClient } from "./platform/bot-client.ts";

/**
 * Defines a bot: a name and a handler for each of its triggers.
 *
 * A bot module exports a bot by default. A handler runs again for the same event after a crash and after each wait.
 * Its answers are still sent once, because event, bot and ordinal form the idempotency key of each answer.
 * Put other side effects into `ctx.step`.
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
 * @throws {TypeError} if the name is not 1 to 64 letters, digits, `-` or `_`, or `maxAge` is not a duration.
 */
export function defineBot(bot: Bot): Bot {
  if (!/^[\w-]{1,64}$/.test(bot.name)) {
    throw new TypeError(
      `a bot's name is 1 to 64 letters, digits, "-" or "_", got ${JSON.stringify(bot.name)}`,
    );
  }
  maxAgeMsOfBot(bot);
  scopeOfBot(bot.name, bot.in);
  return bot;
}

/**
 * Maximum age of the bot's events in milliseconds; `undefined` for the default of each trigger.
 *
 * @throws {TypeError} if `maxAge` is neither a duration nor `none`.
 */
export function maxAgeMsOfBot({ name, maxAge }: Bot): number | "none" | undefined {
  if (maxAge === undefined || maxAge === "none") return maxAge;
  if (typeof maxAge === "string" && DURATION.test(maxAge)) return durationMs(maxAge);
  throw new TypeError(
    `the maxAge of the bot "${name}" is a duration such as "6h", or "none", got ${JSON.stringify(maxAge)}`,
  );
}

/**
 * Conversations whose messages call the bot; `private` by default.
 *
 * @throws {TypeError} if the value is none of the three words.
 */
export function scopeOfBot(name: string, scope: unknown = "private"): ConversationScope {
  const validScope = CONVERSATION_SCOPES.find((one) => one === scope);
  if (validScope !== undefined) return validScope;
  throw new TypeError(
    `the in of the bot "${name}" is "private", "group" or "any", got ${JSON.stringify(scope)}`,
  );
}

/** A bot module's default export. */
export interface Bot {
  /** Unique among the bots of a runtime. Appears in logs, and is part of the idempotency key of the bot's answers. */
  readonly name: string;
  /**
   * Maximum age of events: a duration such as `30m` or `2d`, or `none` for no limit. Older events don't call the bot.
   *
   * The limit applies to events from a replay or after downtime. The default is that of rules: 24
   * hours for messages, posts and mentions, 1 hour for likes, follows, typing and similar events.
   */
  readonly maxAge?: string;
  /** Conversations whose messages call the bot: `private`, the default, `group`, or `any`. */
  readonly in?: ConversationScope;
  readonly on: Handlers;
}

/**
 * Handlers by trigger. An event with several of a bot's triggers calls the handler of each; a function that is
 * registered under several of them runs once.
 *
 * The account's own actions have no trigger here, or two bots could answer each other forever.
 */
export type Handlers = { readonly [T in InboundTrigger]?: Handler<T> };

/** Called once per event. A thrown error is logged and affects no other bot or rule. */
export type Handler<T extends InboundTrigger> = (ctx: BotContext<T>) => void | Promise<void>;

/** Event, sender and actions of a handler call. */
export interface BotContext<T extends InboundTrigger = InboundTrigger> extends DurableCalls<T> {
  readonly trigger: T;
  /** All triggers of the event for which the bot has a handler. */
  readonly triggers: readonly InboundTrigger[];
  readonly event: EventOf<T>;
  /** Text of the sender's message or post; undefined for events without text. */
  readonly text: T extends SpokenTrigger ? string : string | undefined;
  /** Person who caused the event. */
  readonly sender: Person;
  /** The account that received the event and sends the answers. */
  readonly account: BotAccount;
  /**
   * Milliseconds since the epoch by the platform's clock: the start of the run or, after a wait, the time at which
   * the awaited result came. It is the same in each repeated run of the handler.
   */
  readonly now: number;
  /** Whether the event comes from a replay or backfill, so it may be hours old. */
  readonly replayed: boolean;
  /**
   * Whether a rule has queued or is preparing an answer to this event. Rules decide before bots run, and the
   * value stays the same in repeated runs.
   */
  readonly answered: boolean;
  /** Aborts when the handler exceeds its time limit; waits don't count. Pass it to `fetch`. */
  readonly signal: AbortSignal;
  /**
   * Answers the event: a post by a reply post, any other event by a message to the sender.
   *
   * The answer is stored at the handler's next step, wait or end, even if the handler throws later, and sent
   * after that.
   *
   * @param said A text, or `{ text, media }` with the path of a picture or video.
   * @throws {TypeError} if there is no text, the file is not a picture or video, or the event can't be answered.
   */
  reply(said: BotText): Promise<void>;
  /** Publishes a post of the account that is not a reply; stored and sent like `reply`. */
  post(said: BotText): Promise<void>;
  /**
   * Requests any action; stored and sent like `reply`. `to` is the ordering key: it keeps actions to a person in order.
   *
   * @throws {TypeError} if it is not an action, or the event has 100 actions already.
   */
  send(action: Action): Promise<void>;
  /**
   * Requests any action and sends it at once: stores it with all earlier requests, then sends it. Repeated runs of the
   * handler don't send it again.
   *
   * @returns The outcome: what the platform created, or the reason for a failure. Never rejects for a refusal.
   * @throws {TypeError} for the same reasons as `send`.
   */
  sendNow(action: Action, options?: SendNowOptions): Promise<SendOutcome>;
  /**
   * Client of the platform that acts as the bot's account. Look-ups are allowed anywhere, and a repeated run gets the
   * recorded result. Calls that change something are refused outside `ctx.step`.
   *
   * @example
   * const { data } = await ctx.client.users.get(ctx.sender.id, { userFields: ["public_metrics"] });
   */
  readonly client: BotClient;
  /**
   * Hands over to a person, like the step `escalate` of rules. `answerback escalations` lists the hand-over until
   * an operator resolves it. It is stored like an answer.
   *
   * @param note Information for that person; longer notes are cut to 2,000 characters.
   * @throws {TypeError} if the queue, priority, pause or evidence is invalid.
   */
  handOver(note: string, options?: HandOverOptions): Promise<void>;
  /**
   * Writes a line to the runtime's log, with the bot's name and the event's key.
   *
   * @param fields More fields of the line. `level`, `time` and `msg` get the prefix `field_`, as in `field_level`.
   */
  log(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Time limit of `sendNow`. */
export interface SendNowOptions {
  /** Duration such as `5s`; default 10 seconds, maximum 20. Past it the result is `pending`, and sending goes on. */
  readonly timeout?: string;
}

/** Triggers of messages and posts addressed to the account. */
export type SpokenTrigger = "dm.received" | "post.mentioned" | "post.replied" | "post.quoted";

/** The account that received an event. */
export interface BotAccount {
  readonly id: string;
  /** The handle, without `@`. */
  readonly username: string;
}
