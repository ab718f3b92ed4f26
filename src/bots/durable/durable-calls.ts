import type { EventOf } from "../../events/event.ts";
import type { InboundTrigger } from "../../events/triggers.ts";
import type { BotText } from "../said.ts";
import type { Json } from "../../protocol/json.ts";
import type { StateKey } from "./state-key.ts";

/**
 * Durable calls of a handler.
 *
 * A waiting handler is not held in memory. The record of its calls and answers is stored in one transaction. When it
 * can continue, it is **run again from its start**: recorded calls return their recorded result and do nothing a second
 * time. A handler must therefore be deterministic: with the same results it makes the same calls in the same order.
 * Input from outside (the time, random numbers, a request, a file) belongs in a `step`.
 *
 * Each call needs a name that is unique in the handler; in a loop, put a number into it.
 */
export interface DurableCalls<T extends InboundTrigger = InboundTrigger> {
  /**
   * Runs a function once and records its result.
   *
   * The result is stored before this resolves, so a later crash does not repeat the step. A step that a crash
   * interrupts is repeated: at-least-once. An error thrown by `fn` is recorded too, by its name and message.
   *
   * Context calls in `fn` belong to the step and take effect once, together with its result. `sendNow` sends at once;
   * waits are refused.
   *
   * @param fn Returns plain data of up to 100,000 characters as JSON.
   * @throws {TypeError} if the result can't be stored.
   * @throws {StepCutOffError} if a crash interrupted a step with `atMostOnce`.
   */
  step<R>(name: string, fn: () => R | Promise<R>, options?: StepOptions): Promise<R>;
  /**
   * Waits, also for days, without holding memory.
   *
   * @param duration Text such as `20m`, `6h` or `2d`; maximum 366 days.
   */
  sleep(name: string, duration: string): Promise<void>;
  /**
   * Waits like a person who types. The platform can't show typing, so the other person sees only the pause.
   *
   * @param duration Text such as `5s`; default 2 seconds.
   */
  typing(duration?: string): Promise<void>;
  /**
   * Asks the person a question in the event's conversation, and waits for their next message or reply.
   *
   * The question is sent like `reply`. If the event is a post, the answer is a reply to the question's post. The run
   * listens before the question is sent. The answer triggers neither rules nor this bot again, except rules with
   * `interrupts: true`, which run first.
   *
   * @returns The answer; undefined if none came within the timeout, which starts when the question is sent.
   * @throws if the question could not be sent; {@link Error.message} has the reason.
   */
  ask(name: string, said: BotText, options: WaitOptions): Promise<AnswerEvent<T> | undefined>;
  /**
   * Waits for an action of the person.
   *
   * @returns The event; undefined if none came within the timeout.
   */
  waitFor<A extends InboundTrigger>(
    name: string,
    trigger: A,
    options: WaitOptions,
  ): Promise<EventOf<A> | undefined>;
  /** Stored values of the person, shared with `state.sender.NAME` of rules. */
  readonly state: PersonState;
}

/** Options of a step. */
export interface StepOptions {
  /**
   * At-most-once: a step that a crash interrupted is not repeated. It throws a `StepCutOffError`, since its progress is
   * unknown. Use it for payments and other irreversible actions.
   */
  readonly atMostOnce?: boolean;
}

/** Timeout and conditions of a wait. */
export interface WaitOptions {
  /** Duration such as `15m`; maximum 366 days. */
  readonly timeout: string;
  /**
   * Conditions in the form of rules, all of which must hold: `{ "message.text": { matches: "[A-Z]\\d{5}" } }`. Other
   * events go to rules and bots as usual. Conditions are data, because events are matched without running
   * the bot's code.
   */
  readonly where?: WaitCondition | readonly WaitCondition[];
}

/** Trigger of an answer: a reply if the event is answered by a post, else a message. */
export type AnswerTo<T extends InboundTrigger> = T extends
  | "post.mentioned"
  | "post.replied"
  | "post.quoted"
  | "post.reposted"
  ? "post.replied"
  : "dm.received";

/** Event of an answer, with its text. */
export type AnswerEvent<T extends InboundTrigger = InboundTrigger> = EventOf<AnswerTo<T>> & {
  readonly text: string;
};

/** A rule's condition, as data. */
export type WaitCondition = string | { readonly [key: string]: Json };

/** Small values by name (letters, digits and `_`) or by a typed key of `defineState`. */
export interface BotState {
  /**
   * Returns the value of a name; if there is none, undefined or the key's initial value. Repeated runs get the value of
   * the first read.
   */
  get<V>(key: StateKey<V>): Promise<V>;
  /** Returns the value of a name, of any stored type. */
  get(name: string): Promise<Json | undefined>;
  /**
   * Sets a value of up to 16,384 characters as JSON. It is written when the handler waits, reaches a step or ends.
   * Optimistic locking: if the value has changed since the handler read it, the handler runs again.
   */
  set<V>(key: StateKey<V>, value: NonNullable<V>, options?: SetOptions): Promise<void>;
  /** Sets a value of any type. */
  set(name: string, value: Json, options?: SetOptions): Promise<void>;
  /**
   * Computes a new value from the current one. Optimistic locking: if the value has changed meanwhile, the handler runs
   * again, and `change` gets the latest value.
   *
   * @param change A pure function: each run of the handler calls it. Its result is stored; undefined deletes the value.
   * @returns The new value.
   */
  update<V>(key: StateKey<V>, change: (before: V) => V, options?: SetOptions): Promise<V>;
  /** Computes a new value of any type from the current one. */
  update(
    name: string,
    change: (before: Json | undefined) => Json | undefined,
    options?: SetOptions,
  ): Promise<Json | undefined>;
  /** Deletes the value. */
  delete(key: StateKey<unknown> | string): Promise<void>;
}

/** Lifetime of a value. */
export interface SetOptions {
  /** Duration such as `30d`; default unlimited. */
  readonly for?: string;
}

/** Values of the person who caused the event, of their conversation, and of the account. */
export interface PersonState extends BotState {
  /** Values of the conversation with the person: `state.conversation.NAME` of rules. */
  readonly conversation: BotState;
  /** Values of the account itself: `state.account.NAME` of rules. */
  readonly account: BotState;
}
