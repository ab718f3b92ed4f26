import type { ConversationScope } from "../events/conversation.ts";
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
import type { ServedModules } from "./loading/compiled-graph.ts";
import type { Overdue } from "./loading/watch-loading.ts";

/** Messages from the host to a thread of bot modules. */
export type ToThread =
  | {
      readonly type: "load";
      /** Absolute paths of bot modules. */
      readonly files: readonly string[];
      /** Modules to import only to report their exports. */
      readonly modules?: readonly string[];
      /** Compiled code of all of them; absent if the thread has a TypeScript loader. */
      readonly served?: ServedModules;
      /** Platform dialect; default `post`. */
      readonly dialect?: Dialect;
    }
  | ({ readonly type: "handle" } & JobName & Handling)
  | ({ readonly type: "call" } & JobName & ModuleCall)
  /** Answers to `progress`, `read`, `outcome` and `ask`, with the same call number. */
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

/** Identification of a job between host and thread. */
export interface JobName {
  /** Unguessable token. It proves that the sender of an outcome was given the job. */
  readonly token: string;
  /** Number with which the thread marks the job as running; never 0. */
  readonly number: number;
}

/** Messages from a thread to the host. */
export type FromThread =
  /** The thread starts to load the next module. If no further message follows, that module is the cause. */
  | {
      readonly type: "loading";
      readonly file: string;
      /** The operating system's id of the thread, if it has one. */
      readonly systemId?: number;
    }
  | {
      readonly type: "loaded";
      readonly bots: readonly LoadedBot[];
      readonly faults: readonly ModuleFault[];
      readonly modules?: readonly LookedModule[];
      /** The operating system's id of the thread, if it has one. */
      readonly systemId?: number;
    }
  /** The thread begins or ends the import of code that a job needs. It may wait for the TypeScript loader meanwhile. */
  | { readonly type: "importing" | "imported"; readonly file: string }
  /** A running handler has progress to store. */
  | {
      readonly type: "progress";
      readonly token: string;
      readonly call: number;
      readonly progress: Progress;
    }
  /** A running handler reads user state. */
  | {
      readonly type: "read";
      readonly token: string;
      readonly call: number;
      readonly name: StateName;
    }
  /** A running handler waits for the outcome of a stored action. */
  | {
      readonly type: "outcome";
      readonly token: string;
      readonly call: number;
      /** Place of the action in the record. */
      readonly place: number;
      /** Longest wait for the outcome, in milliseconds. */
      readonly ms: number;
    }
  /** A running handler sends a request to the platform. */
  | {
      readonly type: "ask";
      readonly token: string;
      readonly call: number;
      readonly request: PlatformRequest;
    }
  /** A handler no longer waits for a platform answer. */
  | { readonly type: "abandon"; readonly token: string; readonly call: number }
  /** Run the handlers again from their record: a part of the runtime that they need has been loaded now. */
  | { readonly type: "again"; readonly token: string }
  | { readonly type: "handled"; readonly token: string; readonly outcome: HandlerOutcome }
  | { readonly type: "called"; readonly token: string; readonly outcome: ModuleCallOutcome }
  | BotLogLine
  /** An error of a bot outside any awaited call. */
  | ({ readonly type: "fault" } & StrayFault)
  /** `bytes`: memory of the thread's objects and buffers. */
  | { readonly type: "pong"; readonly bytes: number };

/** An error in a thread that is part of no outcome. */
export interface StrayFault {
  /** Name of the bot; absent if the cause is unknown. */
  readonly bot?: string;
  /** Key of the event that was being handled. */
  readonly key?: string;
  readonly message: string;
  /** Place in the author's code, as `file:line:column`. */
  readonly place?: string;
}

/** Log line or fault of a bot. */
export interface BotLogLine {
  readonly type: "log";
  readonly level: "debug" | "info" | "warn" | "error";
  /** Name of the bot; absent if the source is unknown. */
  readonly bot?: string;
  /** Key of the event that was being handled. */
  readonly key?: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** An event for a bot. */
export interface Handling {
  readonly bot: string;
  readonly triggers: readonly InboundTrigger[];
  readonly event: AccountEvent;
  readonly account: BotAccount;
  readonly now: number;
  readonly replayed: boolean;
  /** Whether a rule has queued or is preparing an answer to this event. */
  readonly answered: boolean;
  /** Record of the run so far; absent in a new run. */
  readonly record?: HandlerRecord;
}

/** A rule's `call` step. */
export interface ModuleCall {
  /** Absolute path of the module. */
  readonly module: string;
  readonly export: string;
  /** The step's `with`, plain data. */
  readonly input: Json;
  readonly event: AccountEvent;
  /** Time limit in milliseconds; default the host's limit. */
  readonly timeoutMs?: number;
  /** Secrets in the input. They are removed from the result, from errors and from printed text. */
  readonly hidden?: readonly HiddenValue[];
}

/**
 * Outcome of a handler call. Actions that were requested before a failure or timeout are sent all the same, because
 * their calls had resolved.
 */
export interface HandlerOutcome extends Partial<Progress> {
  /** Actions requested since the record was last stored. */
  readonly actions: readonly Action[];
  /** Whether the handler waits for something in its record. */
  readonly waits?: true;
  /** Message of the thrown error; a second line has the place in the author's code. */
  readonly error?: string;
}

export type ModuleCallOutcome =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      /** The message without its place, since rules may send it to people. */
      readonly error: string;
      /** Place in the author's code, as `file:line:column`. */
      readonly place?: string;
    };

export interface LoadedBot {
  readonly name: string;
  readonly file: string;
  readonly triggers: readonly InboundTrigger[];
  /** Maximum age of events in milliseconds. Default: the maximum of each trigger. */
  readonly maxAgeMs?: number | "none";
  /** Conversations whose messages call the bot; default `private`. */
  readonly scope?: ConversationScope;
}

/** Exports of a module. */
export interface LookedModule {
  readonly file: string;
  readonly functions: readonly string[];
  readonly others: readonly string[];
}

/** A module that could not be loaded. The other modules run. */
export interface ModuleFault {
  readonly file: string;
  readonly message: string;
  /** Exceeded time limit, if the module was only too slow. It is loaded again later. */
  readonly overdue?: Overdue;
}
