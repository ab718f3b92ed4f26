import type { Action } from "../actions/actions.ts";
import { CONVERSATION_SCOPES, type ConversationScope } from "../events/conversation.ts";
import type { EventOf, Person } from "../events/event.ts";
import type { InboundTrigger } from "../events/triggers.ts";
import { DURATION, durationMs } from "../system/duration.ts";
import type { BotPost, BotText } from "./said.ts";
import type { DurableCalls } from "./durable/durable-calls.ts";
import type { HandOverOptions } from "./durable/hand-over.ts";
import type { SendOutcome } from "./durable/send-outcome.ts";
import type { BotClient } from "./platform/bot-client.ts";

/**
 * Defines a bot: a name and a handler for each of its triggers.
 *
 * A bot module exports a bot by default. A handler runs again for the same event after a crash and after each wait.
 * Each of its answers is still sent only once: the idempotency key of an answer consists of the event, the bot and the
 * answer's number. Put other side effects into `ctx.step`.
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
 * Returns the maximum age of the bot's events in milliseconds; `undefined` for the default of each trigger.
 *
 * @throws {TypeError} if `maxAge` is neither a duration longer than 0 nor `none`.
 */
export function maxAgeMsOfBot({ name, maxAge }: Bot): number | "none" | undefined {
  if (maxAge === undefined || maxAge === "none") return maxAge;
  const ms = typeof maxAge === "string" && DURATION.test(maxAge) ? durationMs(maxAge) : 0;
  if (ms > 0) return ms;
  throw new TypeError(
    `the maxAge of the bot "${name}" is a duration longer than 0 such as "6h", or "none", got ${JSON.stringify(maxAge)}`,
  );
}

/**
 * Returns the conversations whose messages the bot gets; `private` by default.
 *
 * @throws {TypeError} if the value is not `private`, `group` or `any`.
 */
export function scopeOfBot(name: string, scope: unknown = "private"): ConversationScope {
  const validScope = CONVERSATION_SCOPES.find((one) => one === scope);
  if (validScope !== undefined) return validScope;
  throw new TypeError(
    `the in of the bot "${name}" is "private", "group" or "any", got ${JSON.stringify(scope)}`,
  );
}

/** Name, handlers and options of a bot: the default export of a bot module. */
export interface Bot {
  /**
   * Name that no other bot of the runtime has. It appears in logs, and is part of the idempotency key of the bot's
   * answers.
   */
  readonly name: string;
  /**
   * Maximum age of events: a duration such as `30m` or `2d`, or `none` for no limit. The bot's handlers are not called
   * for older events.
   *
   * The limit matters for events from a replay, or after downtime. The default is the same as for rules: 24 hours for
   * messages, posts and mentions, 1 hour for likes, follows, typing and similar events.
   */
  readonly maxAge?: string;
  /** Conversations whose messages the bot gets: `private` (the default), `group`, or `any`. */
  readonly in?: ConversationScope;
  readonly on: Handlers;
}

/**
 * Handlers by trigger. If an event has several of the bot's triggers, the handler of each trigger is called. A function
 * that is registered under several of these triggers is called only once.
 *
 * There are no triggers for the account's own actions, so that two bots can't answer each other forever.
 */
export type Handlers = { readonly [T in InboundTrigger]?: Handler<T> };

/**
 * Handler of an event. It is called for each event, and again after a crash or a wait. A thrown error is logged, and
 * affects no other bot or rule. A returned promise is awaited, and its value is ignored.
 */
export type Handler<T extends InboundTrigger> = (ctx: BotContext<T>) => unknown;

/** Event, sender and methods that a handler gets as its argument. */
export interface BotContext<T extends InboundTrigger = InboundTrigger> extends DurableCalls<T> {
  readonly trigger: T;
  /** Triggers of the event for which the bot has handlers. */
  readonly triggers: readonly InboundTrigger[];
  readonly event: EventOf<T>;
  /** Text of the message or post, empty if there is only a picture or video; undefined for events without a text. */
  readonly text: T extends SpokenTrigger ? string : string | undefined;
  /** Person who caused the event. */
  readonly sender: Person;
  /** The bot account that received the event and sends the answers. */
  readonly account: BotAccount;
  /**
   * Time by the platform's clock, in milliseconds since the epoch: the start of the run, or after a wait, the arrival
   * of the awaited result. When the handler runs again, the value is the same.
   */
  readonly now: number;
  /** Whether the event arrived late, by a replay of missed events or a backfill. It may be hours old. */
  readonly replayed: boolean;
  /**
   * Whether a rule answers this event: its answer is queued, or still being prepared. Rules decide before bots run.
   * When the handler runs again, the value is the same.
   */
  readonly answered: boolean;
  /** Aborts when the handler exceeds its time limit; waits such as `sleep` don't count. Pass it to `fetch`. */
  readonly signal: AbortSignal;
  /**
   * Answers the event: a post by a reply post, any other event by a message to the sender.
   *
   * The answer is stored at the handler's next step, its next wait or its end, and sent after that. It is sent even if
   * the handler throws an error later.
   *
   * @param said A text, or `{ text, media }` with the path of a picture or video.
   * @throws {TypeError} if there is no text, the file is not a picture or video, the event can't be answered, or `said`
   * has an option of posts, such as `poll`: send a `reply_post` with `send` instead.
   */
  reply(said: BotText): Promise<void>;
  /**
   * Publishes a post that is not a reply, as the bot account. It is stored and sent like an answer of `reply`.
   *
   * @param said A text, or `{ text, media, poll, replySettings }`: a post has a poll or media.
   * @throws {TypeError} if there is no text, or an option is invalid or belongs to `send`.
   *
   * @example
   * await ctx.post({ text: "Tea or coffee?", poll: { options: ["Tea", "Coffee"], durationMinutes: 60 } });
   */
  post(said: BotPost): Promise<void>;
  /**
   * Requests any action, which is stored and sent like an answer of `reply`. Its field `to` is the ordering key:
   * actions with the same `to` are sent in order.
   *
   * @throws {TypeError} if it is not an action, or the event has 100 actions already.
   */
  send(action: Action): Promise<void>;
  /**
   * Requests any action and sends it at once. All earlier requests of the handler are stored with it. When the handler
   * runs again, the action is not sent again.
   *
   * @returns The outcome: what the platform has created, or the reason of a failure. A refusal of the platform does not
   * reject the promise.
   * @throws {TypeError} for the same reasons as `send`.
   */
  sendNow(action: Action, options?: SendNowOptions): Promise<SendOutcome>;
  /**
   * Client that calls the platform as the bot account. Look-ups are allowed anywhere; when the handler runs again, they
   * return the recorded result. Calls that change something are allowed only in `ctx.step`.
   *
   * @example
   * const { data } = await ctx.client.users.get(ctx.sender.id, { userFields: ["public_metrics"] });
   */
  readonly client: BotClient;
  /**
   * Asks a person to take over the conversation, like the step `escalate` of rules. `answerback escalations` lists the
   * hand-over until an operator resolves it. The hand-over is stored at the same time as an answer of `reply`.
   *
   * @param note Information for the person who takes over; longer notes are cut to 2,000 characters.
   * @throws {TypeError} if the queue, priority, pause or evidence is invalid.
   */
  handOver(note: string, options?: HandOverOptions): Promise<void>;
  /**
   * Writes a line to the runtime's log. The line has the bot's name and the event's key. Longer texts than 2,000
   * characters are cut.
   *
   * @param fields Further fields of the line. Fields named `level`, `time` and `msg` get the prefix `field_`, as in
   * `field_level`.
   */
  log(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Options of `sendNow`. */
export interface SendNowOptions {
  /**
   * Duration such as `5s`; default: 10 seconds, maximum: 20. After it, the outcome is `pending`, and the action is
   * still being sent.
   */
  readonly timeout?: string;
}

/** Triggers of messages and posts to the account: messages, mentions, replies and quotes. */
export type SpokenTrigger = "dm.received" | "post.mentioned" | "post.replied" | "post.quoted";

/** The bot account that received an event. */
export interface BotAccount {
  readonly id: string;
  /** The handle, without `@`. */
  readonly username: string;
}
