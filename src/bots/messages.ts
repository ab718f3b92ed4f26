import type { HiddenValue } from "../system/secrets/secret-runs.ts";
import type { Action } from "../actions/actions.ts";
import type { AccountEvent } from "../events/event.ts";
import type { InboundTrigger } from "../events/triggers.ts";
import type { Json } from "../protocol/json.ts";
import type { BotAccount } from "./define.ts";
import type { Dialect } from "../protocol/dialects.ts";
import type { HandlerRecord, Progress, StateName, StateRead } from "./durable/record.ts";
import type { SendOutcome } from "./durable/send-outcome.ts";
import type { PlatformAnswer, PlatformRequest } from "./platform-request.ts";
import type { Overdue } from "./loading/watch-loading.ts";

/** What the host asks of a thread that runs bot modules. */
export type ToThread =
  | {
      readonly type: "load";
      /** Bot modules. */
      readonly files: readonly string[];
      /** Modules that are looked at only: what they export is told. */
      readonly modules?: readonly string[];
      /** The platform's words; `post` unless given. */
      readonly dialect?: Dialect;
    }
  | ({ readonly type: "handle" } & JobName & Handling)
  | ({ readonly type: "call" } & JobName & ModuleCall)
  /** The answers to `progress`, `read`, `outcome` and `ask`, under the number that they had. */
  | { readonly type: "kept"; readonly token: string; readonly call: number }
  | {
      readonly type: "value";
      readonly token: string;
      readonly call: number;
      readonly read: StateRead;
    }
  | {
      readonly type: "became";
      readonly token: string;
      readonly call: number;
      readonly outcome: SendOutcome;
    }
  | {
      readonly type: "answered";
      readonly token: string;
      readonly call: number;
      readonly answer: PlatformAnswer;
    }
  | { readonly type: "cancel"; readonly token: string; readonly reason: string }
  | { readonly type: "ping" };

/** How host and thread speak of one job. */
export interface JobName {
  /** Nobody can guess it: who gives the outcome under it was given the job. */
  readonly token: string;
  /** Under which the thread marks the job as the one at work; never 0. */
  readonly number: number;
}

/** What the thread answers. */
export type FromThread =
  /** It begins with the next module: if nothing follows, that one is to blame. */
  | {
      readonly type: "loading";
      readonly file: string;
      /** The system's number of the thread, where it has one. */
      readonly systemId?: number;
    }
  | {
      readonly type: "loaded";
      readonly bots: readonly LoadedBot[];
      readonly faults: readonly ModuleFault[];
      readonly modules?: readonly LookedModule[];
      /** The system's number of the thread, where it has one. */
      readonly systemId?: number;
    }
  /** A handler under way has come to something that is to be kept. */
  | {
      readonly type: "progress";
      readonly token: string;
      readonly call: number;
      readonly progress: Progress;
    }
  /** A handler under way reads user state. */
  | {
      readonly type: "read";
      readonly token: string;
      readonly call: number;
      readonly name: StateName;
    }
  /** A handler under way waits for what becomes of an action that was kept. */
  | {
      readonly type: "outcome";
      readonly token: string;
      readonly call: number;
      /** Of the action in the record. */
      readonly place: number;
      /** At most so long, in milliseconds. */
      readonly ms: number;
    }
  /** A handler under way asks the platform. */
  | {
      readonly type: "ask";
      readonly token: string;
      readonly call: number;
      readonly request: PlatformRequest;
    }
  /** It waits no more for the answer to what it asked the platform. */
  | { readonly type: "abandon"; readonly token: string; readonly call: number }
  /** Handlers asked for something that was not loaded, and is now: they are to be run again from what was kept. */
  | { readonly type: "again"; readonly token: string }
  | { readonly type: "handled"; readonly token: string; readonly outcome: HandlerOutcome }
  | { readonly type: "called"; readonly token: string; readonly outcome: ModuleCallOutcome }
  | BotLogLine
  /** A fault of a bot's that no handler waited for. */
  | ({ readonly type: "fault" } & StrayFault)
  /** `bytes`: what its objects and buffers take. */
  | { readonly type: "pong"; readonly bytes: number };

/** Something that went wrong in a thread, and that is part of no outcome. */
export interface StrayFault {
  /** Absent where it is not known whose fault it was. */
  readonly bot?: string;
  /** Key of the event. */
  readonly key?: string;
  readonly message: string;
  /** Where in the author's code, as `file:line:column`. */
  readonly place?: string;
}

/** Something a bot wants to be known, or a fault of one. */
export interface BotLogLine {
  readonly type: "log";
  readonly level: "debug" | "info" | "warn" | "error";
  /** Absent where it is not known whose it is. */
  readonly bot?: string;
  /** Key of the event. */
  readonly key?: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** One event for one bot. */
export interface Handling {
  readonly bot: string;
  readonly triggers: readonly InboundTrigger[];
  readonly event: AccountEvent;
  readonly account: BotAccount;
  readonly now: number;
  readonly replayed: boolean;
  /** A rule has queued an answer to this event or is at work on one. */
  readonly answered: boolean;
  /** What the run has got so far; nothing unless given. */
  readonly record?: HandlerRecord;
}

/** One `call` step of a rule. */
export interface ModuleCall {
  /** Absolute path of the module. */
  readonly module: string;
  readonly export: string;
  /** The step's `with`, plain data. */
  readonly input: Json;
  readonly event: AccountEvent;
  /** Milliseconds; the host's own limit where the step states none. */
  readonly timeoutMs?: number;
  /** Secrets in the input: they are cut out of the result, of errors and of what the function prints. */
  readonly hidden?: readonly HiddenValue[];
}

/**
 * Actions that a handler asked for go out even when it failed or took too long after that: its call
 * had resolved.
 */
export interface HandlerOutcome extends Partial<Progress> {
  /** Since the last that was kept. */
  readonly actions: readonly Action[];
  /** It has not ended: it waits for something that stands in its record. */
  readonly waits?: true;
  /** What was thrown: its message, and in a second line the place in the author's code. */
  readonly error?: string;
}

export type ModuleCallOutcome =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      /** The message alone: rules may send it to people. */
      readonly error: string;
      /** Where in the author's code, as `file:line:column`. */
      readonly place?: string;
    };

export interface LoadedBot {
  readonly name: string;
  readonly file: string;
  readonly triggers: readonly InboundTrigger[];
  /** Older events are left, in milliseconds; that of each trigger where absent. */
  readonly maxAgeMs?: number | "none";
}

/** What a module exports. */
export interface LookedModule {
  readonly file: string;
  readonly functions: readonly string[];
  readonly others: readonly string[];
}

/** A module that could not be loaded, and why. The others run. */
export interface ModuleFault {
  readonly file: string;
  readonly message: string;
  /** Set where nothing but its time was over: it can be loaded later. */
  readonly overdue?: Overdue;
}
