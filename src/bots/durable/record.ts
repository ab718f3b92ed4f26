import type { Action } from "../../actions/actions.ts";
import type { ClientFault } from "../../client/fault.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { InboundTrigger } from "../../events/triggers.ts";
import type { Json } from "../../protocol/json.ts";
import type { PlatformAnswer, PlatformRequest } from "../platform-request.ts";
import type { SendOutcome } from "./send-outcome.ts";

/**
 * What a handler has asked for so far, each call at its place: run again from its start, it is answered
 * from here. `null`: what stood there was not kept, and is done again.
 */
export type HandlerRecord = readonly (RecordEntry | null)[];

/** One call of a handler, as it is kept. */
export type RecordEntry = Exclude<AskedFor, AskedAct> | KeptAct | KeptWait;

/** One call of a handler, as its thread tells of it. */
export type AskedFor =
  | AskedAct
  /** A look-up on the platform; `name` is its endpoint. */
  | ({ readonly kind: "look" } & Named & Settled & StepEnd)
  /** A person is asked to take over; `name` is the queue. */
  | ({ readonly kind: "handOver" } & Named & InStep)
  | ({ readonly kind: "set" } & Named & InStep)
  | ({ readonly kind: "get" } & Named & Settled & { readonly value?: Json })
  | ({ readonly kind: "step" } & Named &
      InStep &
      Partial<Settled> &
      StepEnd & {
        /** It is done at most once, and has begun. */
        readonly begun?: true;
        /**
         * Entries of the calls in this step carry its place. Absent in records of earlier versions: there they
         * stand among the handler's own.
         */
        readonly callsMarked?: true;
      })
  | NewWait;

/** What a handler or a step asks for, and goes on at once. */
export type AskedAtOnce = Extract<AskedFor, { readonly kind: "act" | "handOver" | "set" }>;

/** An action; `name` is its verb. */
type AskedAct = { readonly kind: "act" } & Named &
  InStep &
  Partial<Settled> & {
    /** The handler waits for what becomes of it. */
    readonly now?: true;
    /** What has become of it. */
    readonly outcome?: SendOutcome;
  };

/** The same once it is kept. */
export type KeptAct = AskedAct & {
  /** Key of its item, where the handler waits for what becomes of it. */
  readonly item?: string;
};

interface Named {
  readonly name: string;
}

/** A call that may have been made in a step. */
interface InStep {
  /** Place of the step that the call belongs to. A handler that is run again asks for it only if that step is done again. */
  readonly in?: number;
}

/** Results are given in the order in which they came: the same in each run of the handler. */
interface Settled {
  readonly settled: number;
}

/** What a step has come to; of nothing where it gave nothing. */
export interface StepEnd {
  readonly value?: Json;
  /** What it has thrown. */
  readonly error?: ThrownError;
}

/** An error, as far as it can be kept. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  /** What it says besides, where the platform's client has thrown it. */
  readonly fault?: ClientFault;
}

/** Something that a handler waits for. */
export type NewWait = Named & {
  /** At most so long, in milliseconds. */
  readonly ms: number;
} & (
    | { readonly kind: "sleep" }
    | ({ readonly kind: "ask" | "wait" } & {
        readonly trigger: InboundTrigger;
        /** Conditions, as a rule has them: what they don't hold of is left for others. */
        readonly where?: Json;
      })
  );

/** The same once it is kept, with what has come of it. */
export type KeptWait = NewWait & {
  /** When it began, in milliseconds since the epoch: what happened before is no answer. */
  readonly since?: number;
  /** When it ends; absent while the question is still on its way. */
  readonly until?: number;
  /** Key of the item that asks. */
  readonly item?: string;
  /** What came; absent where nothing came in time. */
  readonly event?: AccountEvent;
  readonly error?: ThrownError;
  /** When it ended, and its place in the order of what ended. */
  readonly at?: number;
} & Partial<Settled>;

/** Values that handlers keep: those of `state.sender.NAME` and so on in rules. */
export interface StateName {
  readonly of: "sender" | "conversation" | "account";
  readonly name: string;
}

/** A change of user state that a handler asks for. */
export interface AskedChange extends StateName {
  /** Absent: it is to have none. */
  readonly value?: Json;
  /** Forgotten after so long, in milliseconds. */
  readonly forMs?: number;
  /** The version that the handler has read, where it has: the change holds only if it is still so. */
  readonly version?: number;
}

/** A hand-over to a person that a handler asks for. */
export interface AskedHandOver {
  readonly queue: string;
  readonly priority: "low" | "normal" | "high" | "urgent";
  readonly note?: string;
  readonly evidence?: Json;
  /** Rules and bots are silent meanwhile. */
  readonly pause?: {
    readonly per: "sender" | "account";
    readonly forMs?: number;
    readonly untilResolved: boolean;
  };
}

/** A value of user state as a handler reads it. */
export interface StateRead {
  /** Absent: there is none. */
  readonly value?: Json;
  readonly version: number;
}

/** What a handler has come to since it was kept last. */
export interface Progress {
  /** Places of the record that are new or have changed. */
  readonly entries: readonly { readonly place: number; readonly entry: AskedFor }[];
  /** In the order of their places: what was asked for, the questions among it. */
  readonly actions: readonly Action[];
  readonly changes: readonly AskedChange[];
  readonly handOvers?: readonly AskedHandOver[];
}

/** What a handler under way asks of the runtime. */
export interface HandlerSupport {
  /**
   * Keeps what it has come to, so that it is not done again.
   *
   * @returns The whole record as it is kept now.
   * @throws when it can't be kept: the run is another's by now.
   */
  keep(progress: Progress): Promise<HandlerRecord>;
  /** Reads a value of user state. */
  read(name: StateName): Promise<StateRead>;
  /**
   * Says what has become of an action that was kept: once it is settled, held or unknown, or after `ms` milliseconds.
   *
   * @param place Of the action in the record.
   * @param signal Aborted once nobody waits for it any more.
   */
  outcome(place: number, ms: number, signal: AbortSignal): Promise<SendOutcome>;
  /** Asks the platform in the name of the event's account. */
  ask(request: PlatformRequest, signal: AbortSignal): Promise<PlatformAnswer>;
}

/** Place of the step that a call belongs to; undefined for a call of the handler itself. */
export function stepOf(entry: RecordEntry | null | undefined): number | undefined {
  return entry && "in" in entry ? entry.in : undefined;
}

export function isWait(entry: RecordEntry | null | undefined): entry is KeptWait {
  return entry?.kind === "sleep" || entry?.kind === "ask" || entry?.kind === "wait";
}

/** How often something in the record has ended: the next number is one more. */
export function lastSettled(record: HandlerRecord): number {
  return Math.max(
    0,
    ...record.map((entry) => (entry && "settled" in entry ? entry.settled : 0) ?? 0),
  );
}
