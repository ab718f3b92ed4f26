import type { Action } from "../../actions/actions.ts";
import type { ClientFault } from "../../client/fault.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { InboundTrigger } from "../../events/triggers.ts";
import type { Json } from "../../protocol/json.ts";
import type { PlatformAnswer, PlatformRequest } from "../platform-request.ts";
import type { SendOutcome } from "./send-outcome.ts";

/**
 * Calls of a handler in their order. The index of a call is its **place**. When the handler runs again from its start,
 * its calls get their results from the record. `null`: the call at this place was not stored, and is made again.
 */
export type HandlerRecord = readonly (RecordEntry | null)[];

/** A handler's call in its stored form. */
export type RecordEntry = Exclude<AskedFor, AskedAct> | KeptAct | KeptWait;

/** A call of a handler, as its thread reports it to the host. */
export type AskedFor =
  | AskedAct
  /** A look-up on the platform. `name` is its endpoint. */
  | ({ readonly kind: "look" } & Named & Settled & StepEnd)
  /** A hand-over to a person. `name` is the queue. */
  | ({ readonly kind: "handOver" } & Named & InStep)
  | ({ readonly kind: "set" } & Named & InStep)
  | ({ readonly kind: "get" } & Named & Settled & { readonly value?: Json })
  | ({ readonly kind: "step" } & Named &
      InStep &
      Partial<Settled> &
      StepEnd & {
        /** Set when an at-most-once step has started, and its result is not stored yet. */
        readonly begun?: true;
        /** Set if the calls inside this step have the field `in`. Absent in records of earlier versions. */
        readonly callsMarked?: true;
      })
  | NewWait;

/** Calls that return at once and take effect later: actions, hand-overs and state changes. */
export type AskedAtOnce = Extract<AskedFor, { readonly kind: "act" | "handOver" | "set" }>;

/** An action. `name` is its verb. */
type AskedAct = { readonly kind: "act" } & Named &
  InStep &
  Partial<Settled> & {
    /** Whether the handler waits for the action's outcome (`sendNow`). */
    readonly now?: true;
    /** Outcome of the action; absent until it is known. */
    readonly outcome?: SendOutcome;
  };

/** An action in its stored form. */
export type KeptAct = AskedAct & {
  /** Key of the action's outbox item; only if the handler waits for the outcome. */
  readonly item?: string;
};

interface Named {
  readonly name: string;
}

/** A call that may be part of a step. */
interface InStep {
  /** Place of the enclosing step. The call is made again only if that step runs again. */
  readonly in?: number;
}

/** Number of a call's result. Each time the handler runs, it gets the results in the order of their numbers. */
interface Settled {
  readonly settled: number;
}

/** Result of a step. `value` and `error` are absent if the step's function returned undefined. */
export interface StepEnd {
  readonly value?: Json;
  /** Error that the step's function has thrown. */
  readonly error?: ThrownError;
}

/** Stored form of a thrown value. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** Name of the built-in class that the error is an instance of; absent for `Error`. */
  readonly type?: string;
  /** Simple values that code has added to the error, such as `code`. */
  readonly fields?: { readonly [key: string]: Json };
  readonly cause?: ThrownError;
  /** The thrown value, if it is not an error. */
  readonly value?: Json;
  /** Further details, if it is an error of the platform client. */
  readonly fault?: ClientFault;
  /** Inner errors, if it is an `AggregateError`. */
  readonly errors?: readonly ThrownError[];
}

/** A wait of a handler: for a time, an answer or an event. */
export type NewWait = Named & {
  /** Maximum duration of the wait in milliseconds. */
  readonly ms: number;
} & (
    | { readonly kind: "sleep" }
    | ({ readonly kind: "ask" | "wait" } & {
        readonly trigger: InboundTrigger;
        /** Conditions as in rules. The wait ignores events for which one of them is false. */
        readonly where?: Json;
      })
  );

/** A wait in its stored form, with its result. */
export type KeptWait = NewWait & {
  /** Start of the wait in milliseconds since the epoch. The wait ignores earlier events. */
  readonly since?: number;
  /** Time at which the wait ends at the latest; absent until its question is sent. */
  readonly until?: number;
  /** Key of the outbox item that sends the question. */
  readonly item?: string;
  /** The awaited event; absent if none came before the end. */
  readonly event?: AccountEvent;
  readonly error?: ThrownError;
  /** Time at which the wait ended. `settled` is the number of this result. */
  readonly at?: number;
} & Partial<Settled>;

/** Name of a stored value and its owner, as in `state.sender.NAME` of rules. */
export interface StateName {
  readonly of: "sender" | "conversation" | "account";
  readonly name: string;
}

/** A change of a stored value that a handler has requested. */
export interface AskedChange extends StateName {
  /** New value; absent to delete the value. */
  readonly value?: Json;
  /** Lifetime of the value in milliseconds. */
  readonly forMs?: number;
  /**
   * Version that the handler has read. For optimistic locking, the change is rejected if the stored version differs.
   */
  readonly version?: number;
}

/** A hand-over to a person that a handler has requested. */
export interface AskedHandOver {
  readonly queue: string;
  readonly priority: "low" | "normal" | "high" | "urgent";
  readonly note?: string;
  readonly evidence?: Json;
  /** Pause of rules and bots during the hand-over. */
  readonly pause?: {
    readonly per: "sender" | "account";
    readonly forMs?: number;
    readonly untilResolved: boolean;
  };
}

/** A stored value with its version, as a handler reads it. */
export interface StateRead {
  /** The stored value; absent if there is none. */
  readonly value?: Json;
  readonly version: number;
}

/** A handler's calls since its record was last stored. */
export interface Progress {
  /** Entries to add to the record or to replace in it, by place. */
  readonly entries: readonly { readonly place: number; readonly entry: AskedFor }[];
  /** Requested actions, including questions, in the order of their places in the record. */
  readonly actions: readonly Action[];
  readonly changes: readonly AskedChange[];
  readonly handOvers?: readonly AskedHandOver[];
}

/** Functions of the runtime that a running handler may use. */
export interface HandlerSupport {
  /** Aborted once the run has ended or continues without the handler. */
  readonly signal?: AbortSignal;
  /**
   * Stores the progress of the handler, so that its calls are not repeated.
   *
   * @returns The whole stored record.
   * @throws if the progress can't be stored, for instance because another process now has the run.
   */
  keep(progress: Progress): Promise<HandlerRecord>;
  /** Reads a stored value, such as `sender.orders`, and its version. */
  read(name: StateName): Promise<StateRead>;
  /**
   * Returns the outcome of a stored action. Waits until the action is sent, has failed, is held back or has an unknown
   * outcome, for at most `ms` milliseconds.
   *
   * @param place Place of the action in the record.
   * @param signal Aborts when the handler no longer waits for the outcome.
   */
  outcome(place: number, ms: number, signal: AbortSignal): Promise<SendOutcome>;
  /** Sends a request to the platform as the account that received the event. */
  ask(request: PlatformRequest, signal: AbortSignal): Promise<PlatformAnswer>;
}

/** Returns the place of the step to which a call belongs; undefined for a call outside steps. */
export function stepOf(entry: RecordEntry | null | undefined): number | undefined {
  return entry && "in" in entry ? entry.in : undefined;
}

export function isWait(entry: RecordEntry | null | undefined): entry is KeptWait {
  return entry?.kind === "sleep" || entry?.kind === "ask" || entry?.kind === "wait";
}

/** Returns the number of the last result in a record; 0 without any result. */
export function lastSettled(record: HandlerRecord): number {
  return Math.max(
    0,
    ...record.map((entry) => (entry && "settled" in entry ? entry.settled : 0) ?? 0),
  );
}
