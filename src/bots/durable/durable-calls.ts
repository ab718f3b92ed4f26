import type { EventOf } from "../../events/event.ts";
import type { InboundTrigger, TRIGGER_FACTS } from "../../events/triggers.ts";
import type { BotText } from "../said.ts";
import type { Json } from "../../protocol/json.ts";
import type { StateKey } from "./state-key.ts";

/**
 * Durable calls of a handler: steps, waits, questions and stored state.
 *
 * A waiting handler takes no memory. The record of its calls and their results is stored in one transaction. When the
 * handler can continue, it is **run again from its start**: recorded calls return their recorded result and do nothing
 * a second time. A handler must therefore be deterministic: with the same results, it must make the same calls in the
 * same order. Input from outside (the time, random numbers, a request, a file) belongs in a `step`.
 *
 * Each call needs a name that is unique in the handler. In a loop, make the loop's counter part of the name.
 */
export interface DurableCalls<T extends InboundTrigger = InboundTrigger> {
  /**
   * Runs a function once, and records its result.
   *
   * The result is stored before the promise resolves, so a later crash does not repeat the step. A step that a crash
   * interrupts is repeated (at-least-once). An error that `fn` throws is recorded too, with its name, message, `cause`
   * and simple fields such as `code`. The handler gets this copy: an error of the author's own class loses its class.
   *
   * Calls of the context in `fn`, such as `ctx.reply`, take effect once, together with the result of the step.
   * `sendNow` takes effect at once. Waits are refused.
   *
   * @param fn Returns plain data of up to 100,000 characters as JSON.
   * @throws {TypeError} if the result can't be stored.
   * @throws {StepCutOffError} if a crash interrupted a step with `atMostOnce`.
   */
  step<R>(name: string, fn: () => R | Promise<R>, options?: StepOptions): Promise<R>;
  /**
   * Waits for a time, even for days. The handler takes no memory meanwhile.
   *
   * @param duration Text such as `20m`, `6h` or `2d`; maximum 366 days.
   */
  sleep(name: string, duration: string): Promise<void>;
  /**
   * Pauses as if a person were typing. The platform can't show that the bot is typing, so the other person sees only
   * the pause.
   *
   * @param duration Text such as `5s`; default 2 seconds.
   */
  typing(duration?: string): Promise<void>;
  /**
   * Asks the person a question in the conversation of the event, and waits for the person's next message or reply.
   *
   * The question is sent like an answer of `reply`. If the event is a post, the person's next reply to any post of the
   * account is the answer, as in rules. The run starts to listen before the question is sent. The answer does not trigger
   * this bot or rules again, except for rules with `interrupts: true`, which run first.
   *
   * @returns The answer; undefined if none came within the timeout. The timeout starts when the question is sent.
   * @throws if the question could not be sent; {@link Error.message} has the reason.
   */
  ask(name: string, said: BotText, options: WaitOptions): Promise<AnswerEvent<T> | undefined>;
  /**
   * Waits until the person causes an event with this trigger.
   *
   * @returns The event; undefined if none came within the timeout.
   */
  waitFor<A extends InboundTrigger>(
    name: string,
    trigger: A,
    options: WaitOptions,
  ): Promise<EventOf<A> | undefined>;
  /** Stored values of the person. Rules read the same values as `state.sender.NAME`. */
  readonly state: PersonState;
}

/** Options of a step. */
export interface StepOptions {
  /**
   * Whether the step runs at most once: a step that a crash interrupted is not repeated. It throws a `StepCutOffError`
   * instead, since its effects are unknown. Use this option for payments and other irreversible actions.
   */
  readonly atMostOnce?: boolean;
}

/** Timeout and conditions of a wait. */
export interface WaitOptions {
  /** Duration such as `15m`; maximum 366 days. */
  readonly timeout: string;
  /**
   * Conditions for the awaited event, as in rules: `{ "message.text": { matches: "[A-Z]\\d{5}" } }`. All of them must
   * be true. Other events go to rules and bots as usual.
   *
   * Conditions are data, because they are evaluated without running the bot's code.
   */
  readonly where?: WaitCondition | readonly WaitCondition[];
}

/** Trigger of the event that answers a question: `post.replied` if the question is a post, else `dm.received`. */
export type AnswerTo<T extends InboundTrigger> = T extends InboundTrigger
  ? (typeof TRIGGER_FACTS)[T]["kind"] extends "post"
    ? "post.replied"
    : "dm.received"
  : never;

/** Event that answers a question, with its text. */
export type AnswerEvent<T extends InboundTrigger = InboundTrigger> = EventOf<AnswerTo<T>> & {
  readonly text: string;
};

/** A condition as in rules: an expression, or a map of fields and operators. */
export type WaitCondition = string | { readonly [key: string]: Json };

/** Stored values, each with a name (letters, digits and `_`) or a typed key from `defineState`. */
export interface BotState {
  /**
   * Returns the stored value. If no value is stored, it returns the initial value of the key. When the handler runs
   * again, it gets the same value.
   */
  get<V>(key: StateKey<V>): Promise<V>;
  /** Returns the stored value with this name, of any type; undefined if no value is stored. */
  get(name: string): Promise<Json | undefined>;
  /**
   * Sets a value of up to 16,384 characters as JSON. The value is written when the handler waits, reaches a step or
   * ends. Optimistic locking: if the stored value has changed since the handler read it, the handler runs again. This
   * does not apply to a value that was read before the last step, wait or `sendNow`, because that read is recorded: use
   * `update` to compute a value from the stored one.
   */
  set<V>(key: StateKey<V>, value: NonNullable<V>, options?: SetOptions): Promise<void>;
  /** Sets the value with this name. It may be any plain data but null: `delete` removes a value. */
  set(name: string, value: Exclude<Json, null>, options?: SetOptions): Promise<void>;
  /**
   * Computes a new value from the stored one. Optimistic locking: if the stored value has changed meanwhile, the
   * handler runs again, and `change` gets the latest value.
   *
   * @param change A pure function, because each run of the handler calls it. Its result is stored; undefined deletes
   * the value.
   * @returns The new value.
   */
  update<V>(key: StateKey<V>, change: (before: V) => V, options?: SetOptions): Promise<V>;
  /** Computes a new value from the stored value with this name, which may have any type. */
  update(
    name: string,
    change: (before: Json | undefined) => Json | undefined,
    options?: SetOptions,
  ): Promise<Json | undefined>;
  /** Deletes the value. */
  delete(key: StateKey<unknown> | string): Promise<void>;
}

/** Options of a stored value. */
export interface SetOptions {
  /** Lifetime of the value, such as `30d`; default: unlimited. */
  readonly for?: string;
}

/** Stored values of the person who caused the event, of the conversation, and of the bot account. */
export interface PersonState extends BotState {
  /** Values of the conversation with the person. Rules read them as `state.conversation.NAME`. */
  readonly conversation: BotState;
  /** Values of the bot account. Rules read them as `state.account.NAME`. */
  readonly account: BotState;
}
