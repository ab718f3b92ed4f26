import type { EventOf } from "../../events/event.ts";
import type { InboundTrigger } from "../../events/triggers.ts";
import type { BotText } from "../said.ts";
import type { Json } from "../../protocol/json.ts";
import type { StateKey } from "./state-key.ts";

/**
 * What a handler can do that outlives its process.
 *
 * A handler that waits is not kept in memory: what it has asked for is kept as the record of its run, in one
 * transaction with its answers so far, and once it can go on it is **run again from its start**. Each of
 * these calls is then answered from the record and does nothing a second time. So a handler has to ask for
 * the same in the same order each time it is run with the same answers: what comes from outside (the time,
 * chance, a request, a file) belongs into a `step`.
 *
 * Each call has a name that no other call of the handler has; in a loop, with a number in it.
 */
export interface DurableCalls<T extends InboundTrigger = InboundTrigger> {
  /**
   * Does something once, and remembers its result.
   *
   * The result is kept before this resolves, so a crash after that does not do it again. One that was under
   * way at a crash is done again: at least once. What `fn` throws is remembered, too, by its name and message.
   *
   * Calls of the context in `fn` belong to the step. What they ask for takes effect once, together with the result;
   * `sendNow` leaves at once, and waits are refused.
   *
   * @param fn What it gives is plain data, of 100,000 characters as JSON at most.
   * @throws {TypeError} when what it gives can't be kept.
   * @throws {StepCutOffError} when it is done at most once and was under way at a crash.
   */
  step<R>(name: string, fn: () => R | Promise<R>, options?: StepOptions): Promise<R>;
  /**
   * Waits, also for days: nothing is held in memory meanwhile.
   *
   * @param duration Such as `20m`, `6h` or `2d`; 366 days at most.
   */
  sleep(name: string, duration: string): Promise<void>;
  /**
   * Waits as somebody who types does. The platform has no way to show it, so the person sees the pause and nothing else.
   *
   * @param duration Such as `5s`; 2 seconds unless given.
   */
  typing(duration?: string): Promise<void>;
  /**
   * Asks the person in the conversation of the event, and waits for what they write next.
   *
   * The question is sent as `reply` sends: to a message by a message, to a post by a reply, and then a reply
   * is the answer. The run listens before the question leaves. What it takes as the answer starts neither rules nor
   * this bot; rules with `interrupts: true` come first.
   *
   * @returns The answer, or undefined when none came in time: the time counts from when the question was sent.
   * @throws when the question could not be sent; {@link Error.message} says why.
   */
  ask(name: string, said: BotText, options: WaitOptions): Promise<AnswerEvent<T> | undefined>;
  /**
   * Waits until the person does something.
   *
   * @returns What they did, or undefined when they did not in time.
   */
  waitFor<A extends InboundTrigger>(
    name: string,
    trigger: A,
    options: WaitOptions,
  ): Promise<EventOf<A> | undefined>;
  /** Values that are kept of the person, shared with `state.sender.NAME` of rules. */
  readonly state: PersonState;
}

/** How a step is done. */
export interface StepOptions {
  /**
   * One that was under way at a crash is not done again: it throws a `StepCutOffError`, since nobody knows how far it came.
   * For what costs money or can't be taken back.
   */
  readonly atMostOnce?: boolean;
}

/** How long is waited, and for what. */
export interface WaitOptions {
  /** Such as `15m`; 366 days at most. */
  readonly timeout: string;
  /**
   * Conditions as a rule has them, all of which must hold: `{ "message.text": { matches: "[A-Z]\\d{5}" } }`.
   * What they don't hold of is left for others. They are data, since who gets an event is decided without
   * running any code of a bot.
   */
  readonly where?: WaitCondition | readonly WaitCondition[];
}

/** The trigger of what answers a question: where an event is answered by a post, a reply to it; else a message. */
export type AnswerTo<T extends InboundTrigger> = T extends
  | "post.mentioned"
  | "post.replied"
  | "post.quoted"
  | "post.reposted"
  ? "post.replied"
  : "dm.received";

/** What answers a question: the event, and what the person wrote. */
export type AnswerEvent<T extends InboundTrigger = InboundTrigger> = EventOf<AnswerTo<T>> & {
  readonly text: string;
};

/** One condition of a rule, as data. */
export type WaitCondition = string | { readonly [key: string]: Json };

/** Small values that are kept under names: letters, digits and `_`, or what `defineState` has given a type. */
export interface BotState {
  /**
   * The value under a name; undefined, or what it is initially, where there is none. It is as it was when it was
   * read, also later in the run.
   */
  get<V>(key: StateKey<V>): Promise<V>;
  /** The value under a name, of whatever type was kept. */
  get(name: string): Promise<Json | undefined>;
  /**
   * Keeps a value, of 16,384 characters as JSON at most. It is written when the handler waits, comes to a step
   * or ends; where somebody else has changed since what the handler has read of it, the handler is run again.
   */
  set<V>(key: StateKey<V>, value: NonNullable<V>, options?: SetOptions): Promise<void>;
  /** Keeps a value of any type under a name. */
  set(name: string, value: Json, options?: SetOptions): Promise<void>;
  /**
   * Makes the next value of the one before. No other's change is lost: where somebody else has changed the value
   * meanwhile, the handler is run again from what was kept last, and `change` gets what they left.
   *
   * @param change Gives the same for the same value, and does nothing else: it is called in each run of the handler.
   *   What it gives is kept; nothing (undefined) takes the value away.
   * @returns What is kept.
   */
  update<V>(key: StateKey<V>, change: (before: V) => V, options?: SetOptions): Promise<V>;
  /** Makes the next value of the one before, of whatever type that is. */
  update(
    name: string,
    change: (before: Json | undefined) => Json | undefined,
    options?: SetOptions,
  ): Promise<Json | undefined>;
  /** Takes the value away. */
  delete(key: StateKey<unknown> | string): Promise<void>;
}

/** For how long a value is kept. */
export interface SetOptions {
  /** Such as `30d`; for good unless given. */
  readonly for?: string;
}

/** Values of the person who caused the event, and of what they belong to. */
export interface PersonState extends BotState {
  /** Values of the conversation with the person: `state.conversation.NAME` of rules. */
  readonly conversation: BotState;
  /** Values of the account itself: `state.account.NAME` of rules. */
  readonly account: BotState;
}
