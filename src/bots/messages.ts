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
      /** Absolute paths of modules that are imported only to report their exports. */
      readonly modules?: readonly string[];
      /** Compiled code of `files` and `modules`; absent if the thread loads them with the TypeScript loader. */
      readonly served?: ServedModules;
      /** Names in the handlers' platform requests: `post` or, as on X, `tweet`; default: `post`. */
      readonly dialect?: Dialect;
    }
  | ({ readonly type: "handle" } & JobName & Handling)
  | ({ readonly type: "call" } & JobName & ModuleCall)
  /**
   * Answers of the host to `progress`, `read`, `outcome` and `ask`. Each has the number of the call that it answers.
   */
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

/** Identification of a job (one event for a bot, or one function call) in messages between host and thread. */
export interface JobName {
  /** Random token, which only the thread with the job knows. An outcome is accepted only with the job's token. */
  readonly token: string;
  /** Number that the thread publishes while code of this job runs synchronously; never 0. */
  readonly number: number;
}

/** Messages from a thread to the host. */
export type FromThread =
  /** The thread starts to load a module. If it ends without a further message, this module is the cause. */
  | {
      readonly type: "loading";
      readonly file: string;
      /** Operating system's id of the thread; absent on systems that don't report it. */
      readonly systemId?: number;
    }
  | {
      readonly type: "loaded";
      readonly bots: readonly LoadedBot[];
      readonly faults: readonly ModuleFault[];
      readonly modules?: readonly LookedModule[];
      /** Operating system's id of the thread; absent on systems that don't report it. */
      readonly systemId?: number;
    }
  /**
   * The thread starts or ends the import of code that a job needs. It may wait for the TypeScript loader in this time.
   */
  | { readonly type: "importing" | "imported"; readonly file: string }
  /** A running handler has made calls that need to be stored. */
  | {
      readonly type: "progress";
      readonly token: string;
      readonly call: number;
      readonly progress: Progress;
    }
  /** A running handler reads a stored value. */
  | {
      readonly type: "read";
      readonly token: string;
      readonly call: number;
      readonly name: StateName;
    }
  /** A running handler waits for the outcome of an action that is stored. */
  | {
      readonly type: "outcome";
      readonly token: string;
      readonly call: number;
      /** Index of the action in the handler's record of calls. */
      readonly place: number;
      /** Maximum wait for the outcome, in milliseconds. */
      readonly ms: number;
    }
  /** A running handler sends a request to the platform. */
  | {
      readonly type: "ask";
      readonly token: string;
      readonly call: number;
      readonly request: PlatformRequest;
    }
  /** A running handler no longer waits for a response of the platform. */
  | { readonly type: "abandon"; readonly token: string; readonly call: number }
  /** The handlers must be run again from their record: code of the runtime that they need has just been loaded. */
  | { readonly type: "again"; readonly token: string }
  | { readonly type: "handled"; readonly token: string; readonly outcome: HandlerOutcome }
  | { readonly type: "called"; readonly token: string; readonly outcome: ModuleCallOutcome }
  | BotLogLine
  /** An error in the code of a bot, outside any awaited call. */
  | ({ readonly type: "fault" } & StrayFault)
  /** Heartbeat. `bytes` is the memory of the thread's objects and buffers. */
  | { readonly type: "pong"; readonly bytes: number };

/** An error in a thread outside any awaited call of a handler or function, for example in a timer. */
export interface StrayFault {
  /** Name of the bot; absent if the cause is unknown. */
  readonly bot?: string;
  /** Key of the event that the code was handling. */
  readonly key?: string;
  readonly message: string;
  /** Place in the bot author's code, as `file:line:column`. */
  readonly place?: string;
}

/** Line that a bot's code has logged or printed, or a report of its loading. */
export interface BotLogLine {
  readonly type: "log";
  readonly level: "debug" | "info" | "warn" | "error";
  /** Name of the bot; absent if it is not known which bot wrote the line. */
  readonly bot?: string;
  /** Key of the event that the code was handling. */
  readonly key?: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** An event for the handlers of a bot. */
export interface Handling {
  readonly bot: string;
  readonly triggers: readonly InboundTrigger[];
  readonly event: AccountEvent;
  readonly account: BotAccount;
  readonly now: number;
  readonly replayed: boolean;
  /** Whether a rule answers this event: its answer is queued, or still being prepared. */
  readonly answered: boolean;
  /** Results of the handlers' calls in earlier runs for this event, by place; absent for the first run. */
  readonly record?: HandlerRecord;
}

/** Call of a module's function by the `call` step of a rule. */
export interface ModuleCall {
  /** Absolute path of the module. */
  readonly module: string;
  readonly export: string;
  /** Value of the step's `with`: plain data. */
  readonly input: Json;
  readonly event: AccountEvent;
  /** Time limit in milliseconds; default: the time limit of handlers. */
  readonly timeoutMs?: number;
  /** Secret values in the input. They are removed from the result, from errors and from printed text. */
  readonly hidden?: readonly HiddenValue[];
}

/**
 * Outcome of running a bot's handlers. Actions that were requested before an error or a timeout are sent nevertheless,
 * because their calls have resolved.
 */
export interface HandlerOutcome extends Partial<Progress> {
  /** Actions that the handlers requested after the last `progress` message. */
  readonly actions: readonly Action[];
  /** Set if the handlers have stopped to wait, for example in `ctx.sleep` or `ctx.ask`, and will run again later. */
  readonly waits?: true;
  /** Message of the thrown error. A second line has the place in the bot author's code. */
  readonly error?: string;
}

export type ModuleCallOutcome =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      /** The error's message without file and line, since a rule's answer may contain the message. */
      readonly error: string;
      /** Place of the error in the code of the bot, as `file:line:column`. */
      readonly place?: string;
    };

export interface LoadedBot {
  readonly name: string;
  readonly file: string;
  readonly triggers: readonly InboundTrigger[];
  /** Maximum age of events in milliseconds. Default: the default of each trigger. */
  readonly maxAgeMs?: number | "none";
  /** Conversations whose messages the bot gets; default: `private`. */
  readonly scope?: ConversationScope;
}

/** A module and the names of its exports. */
export interface LookedModule {
  readonly file: string;
  readonly functions: readonly string[];
  readonly others: readonly string[];
}

/** A module that could not be loaded. Other modules run. */
export interface ModuleFault {
  readonly file: string;
  readonly message: string;
  /** Time limit that the module exceeded; absent for other failures. A module that is too slow is loaded later. */
  readonly overdue?: Overdue;
}
