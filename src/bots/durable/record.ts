import type { Action } from "../../actions/actions.ts";
import type { ClientFault } from "../../client/fault.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { InboundTrigger } from "../../events/triggers.ts";
import type { Json } from "../../protocol/json.ts";
import type { PlatformAnswer, PlatformRequest } from "../platform-request.ts";
import type { SendOutcome } from "./send-outcome.ts";

/**
 * A handler's calls so far, each at its place. When the handler runs again from its start, its calls get their results
 * from here. `null`: the call at that place was not stored, and is made again.
 */
export type HandlerRecord = readonly (RecordEntry | null)[];

/** A handler's call in its stored form. */
export type RecordEntry = Exclude<AskedFor, AskedAct> | KeptAct | KeptWait;

/** A handler's call, as its thread reports it. */
export type AskedFor =
  | AskedAct
  /** A look-up on the platform; `name` is its endpoint. */
  | ({ readonly kind: "look" } & Named & Settled & StepEnd)
  /** A hand-over to a person; `name` is the queue. */
  | ({ readonly kind: "handOver" } & Named & InStep)
  | ({ readonly kind: "set" } & Named & InStep)
  | ({ readonly kind: "get" } & Named & Settled & { readonly value?: Json })
  | ({ readonly kind: "step" } & Named &
      InStep &
      Partial<Settled> &
      StepEnd & {
        /** Set for at-most-once steps that have started. */
        readonly begun?: true;
        /** Whether an at-most-once step has started. */
        readonly callsMarked?: true;
      })
  | NewWait;

/** Requests after which the handler or step goes on at once. */
export type AskedAtOnce = Extract<AskedFor, { readonly kind: "act" | "handOver" | "set" }>;

/** An action; `name` is its verb. */
type AskedAct = { readonly kind: "act" } & Named &
  InStep &
  Partial<Settled> & {
    /** Whether the handler waits for the action's outcome. */
    readonly now?: true;
    /** Outcome of the action, once known. */
    readonly outcome?: SendOutcome;
  };

/** An action in its stored form. */
export type KeptAct = AskedAct & {
  /** Key of the action's outbox item, if the handler waits for the outcome. */
  readonly item?: string;
};

interface Named {
  readonly name: string;
}

/** A call that may have been made within a step. */
interface InStep {
  /** Place of the enclosing step. A repeated run makes the call again only if it repeats that step. */
  readonly in?: number;
}

/** Number of a result. Results are delivered in this order, the same in each run of the handler. */
interface Settled {
  readonly settled: number;
}

/** Result of a step; empty if its function returned undefined. */
export interface StepEnd {
  readonly value?: Json;
  /** Error that the step's function has thrown. */
  readonly error?: ThrownError;
}

/** Stored form of an error. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** Details of an error of the platform client. */
  readonly fault?: ClientFault;
}

/** A wait of a handler. */
export type NewWait = Named & {
  /** Maximum duration of the wait in milliseconds. */
  readonly ms: number;
} & (
    | { readonly kind: "sleep" }
    | ({ readonly kind: "ask" | "wait" } & {
        readonly trigger: InboundTrigger;
        /** Conditions in the form of rules. Events that fail them are not for this wait. */
        readonly where?: Json;
      })
  );

/** A wait in its stored form, with its result. */
export type KeptWait = NewWait & {
  /** Start of the wait in milliseconds since the epoch. Earlier events are no answer. */
  readonly since?: number;
  /** End of the wait; absent until the question is sent. */
  readonly until?: number;
  /** Key of the outbox item of the question. */
  readonly item?: string;
  /** The awaited event; absent if none came in time. */
  readonly event?: AccountEvent;
  readonly error?: ThrownError;
  /** Time of the end. `settled` is its place in the order of results. */
  readonly at?: number;
} & Partial<Settled>;

/** Name of user state, as in `state.sender.NAME` and so on of rules. */
export interface StateName {
  readonly of: "sender" | "conversation" | "account";
  readonly name: string;
}

/** A requested change of user state. */
export interface AskedChange extends StateName {
  /** New value; absent to delete the value. */
  readonly value?: Json;
  /** Lifetime of the value in milliseconds. */
  readonly forMs?: number;
  /** Version that the handler read, for optimistic locking: another version rejects the change. */
  readonly version?: number;
}

/** A requested hand-over to a person. */
export interface AskedHandOver {
  readonly queue: string;
  readonly priority: "low" | "normal" | "high" | "urgent";
  readonly note?: string;
  readonly evidence?: Json;
  /** Pause of rules and bots. */
  readonly pause?: {
    readonly per: "sender" | "account";
    readonly forMs?: number;
    readonly untilResolved: boolean;
  };
}

/** Value of user state as a handler reads it. */
export interface StateRead {
  /** The stored value; absent if there is none. */
  readonly value?: Json;
  readonly version: number;
}

/** A handler's progress since its record was last stored. */
export interface Progress {
  /** New and changed places of the record. */
  readonly entries: readonly { readonly place: number; readonly entry: AskedFor }[];
  /** Requested actions, including questions, in the order of their places in the record. */
  readonly actions: readonly Action[];
  readonly changes: readonly AskedChange[];
  readonly handOvers?: readonly AskedHandOver[];
}

/** Services of the runtime for a running handler. */
export interface HandlerSupport {
  /**
   * Stores the progress, so that it is not repeated.
   *
   * @returns The whole stored record.
   * @throws if the progress can't be stored, for instance because another process now has the run.
   */
  keep(progress: Progress): Promise<HandlerRecord>;
  /** Reads a value of user state. */
  read(name: StateName): Promise<StateRead>;
  /**
   * Returns the outcome of a stored action once it is settled, held or unknown, or after `ms` milliseconds.
   *
   * @param place Place of the action in the record.
   * @param signal Aborts when the handler no longer waits for the outcome.
   */
  outcome(place: number, ms: number, signal: AbortSignal): Promise<SendOutcome>;
  /** Sends a request to the platform as the event's account. */
  ask(request: PlatformRequest, signal: AbortSignal): Promise<PlatformAnswer>;
}

/** Place of the enclosing step; undefined for a call of the handler itself. */
export function stepOf(entry: RecordEntry | null | undefined): number | undefined {
  return entry && "in" in entry ? entry.in : undefined;
}

export function isWait(entry: RecordEntry | null | undefined): entry is KeptWait {
  return entry?.kind === "sleep" || entry?.kind === "ask" || entry?.kind === "wait";
}

/** Number of the last recorded result. */
export function lastSettled(record: HandlerRecord): number {
  return Math.max(
    0,
    ...record.map((entry) => (entry && "settled" in entry ? entry.settled : 0) ?? 0),
  );
}
