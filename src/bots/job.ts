import { randomUUID } from "node:crypto";
import type { HandlerSupport } from "./durable/record.ts";
import type {
  HandlerOutcome,
  Handling,
  JobName,
  ModuleCall,
  ModuleCallOutcome,
} from "./messages.ts";

/** Work for a thread. */
export type Work =
  | ({ readonly type: "handle" } & Handling)
  | ({ readonly type: "call" } & ModuleCall);

/** A handler call or module call, until it is resolved or rejected. */
export interface Job {
  readonly name: JobName;
  /** The request. A handler's request includes its progress as last stored. */
  work: Work;
  /** Runtime services that a handler may use. */
  readonly support?: HandlerSupport | undefined;
  /** Aborts when the caller no longer waits for the job. */
  readonly callerSignal?: AbortSignal | undefined;
  /** Resolves when its progress is stored. The job is restarted only after that. */
  keeping?: Promise<void>;
  /** Pending platform requests and outcomes by call number; aborted when the handler abandons the call. */
  readonly asking: Map<number, AbortController>;
  /** Owner of the code: the bot's name, or the path of the module. */
  readonly author: string;
  readonly settled: Promise<HandlerOutcome | ModuleCallOutcome>;
  readonly resolve: (outcome: HandlerOutcome | ModuleCallOutcome) => void;
  readonly reject: (error: Error) => void;
  /** Number of threads lost while the job was running. */
  losses: number;
  timer?: NodeJS.Timeout;
}

/** Creates a job that is not dispatched yet. */
export function newJob(
  number: number,
  work: Work,
  support?: HandlerSupport,
  callerSignal?: AbortSignal,
): Job {
  const { promise, resolve, reject } = withResolvers<HandlerOutcome | ModuleCallOutcome>();
  return {
    name: { token: randomUUID(), number },
    work,
    support,
    callerSignal,
    asking: new Map(),
    author: work.type === "handle" ? work.bot : work.module,
    settled: promise,
    resolve,
    reject,
    losses: 0,
  };
}

/** Aborts the pending calls of an ended job. */
export function leaveCalls({ asking }: Job): void {
  for (const controller of asking.values()) controller.abort(new Error("the handler is over"));
  asking.clear();
}

/** Outcome of a job that failed from outside, such as by a timeout or the loss of its thread. */
export function failedOutcome({ work }: Job, error: string): HandlerOutcome | ModuleCallOutcome {
  return work.type === "handle" ? { actions: [], error } : { ok: false, error };
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((take, refuse) => {
    resolve = take;
    reject = refuse;
  });
  // Prevents an unhandled rejection: closing may reject the promise before anyone awaits it.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
