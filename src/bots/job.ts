import { randomUUID } from "node:crypto";
import type { HandlerSupport } from "./durable/record.ts";
import type {
  HandlerOutcome,
  Handling,
  JobName,
  ModuleCall,
  ModuleCallOutcome,
} from "./messages.ts";

/** Request to a thread: to run a bot's handlers, or to call a module. */
export type Work =
  | ({ readonly type: "handle" } & Handling)
  | ({ readonly type: "call" } & ModuleCall);

/** A request to a thread, until its promise is resolved or rejected. */
export interface Job {
  readonly name: JobName;
  /** The request. For handlers, it includes the record as it was last stored. */
  work: Work;
  /** Functions of the runtime that a handler may use. */
  readonly support?: HandlerSupport | undefined;
  /** Aborts when the caller no longer waits for the job. */
  readonly callerSignal?: AbortSignal | undefined;
  /** Resolves when the handler's progress is stored. The job is not dispatched again before that. */
  keeping?: Promise<void>;
  /** Abort controllers of the handler's unanswered requests to the host, by call number. */
  readonly asking: Map<number, AbortController>;
  /** Name of the bot, or path of the called module, to which faults of the job are attributed. */
  readonly author: string;
  readonly settled: Promise<HandlerOutcome | ModuleCallOutcome>;
  /** Settles the job when `keeping` has ended: the runtime commits the outcome to the latest version of the run. */
  readonly resolve: (outcome: HandlerOutcome | ModuleCallOutcome) => void;
  /** Like `resolve`: the runtime calls the handler again with the latest record. */
  readonly reject: (error: Error) => void;
  /** Number of threads that ended unexpectedly while this job was running. */
  losses: number;
  /** Stops the timer of the job's time limit. */
  stopTimer?: () => void;
}

/** Creates a job. It is dispatched to a thread later. */
export function newJob(
  number: number,
  work: Work,
  support?: HandlerSupport,
  callerSignal?: AbortSignal,
): Job {
  const { promise, resolve, reject } = withResolvers<HandlerOutcome | ModuleCallOutcome>();
  const job: Job = {
    name: { token: randomUUID(), number },
    work,
    support,
    callerSignal,
    asking: new Map(),
    author: work.type === "handle" ? work.bot : work.module,
    settled: promise,
    resolve: (outcome) => void Promise.resolve(job.keeping).then(() => resolve(outcome)),
    reject: (reason) => void Promise.resolve(job.keeping).then(() => reject(reason)),
    losses: 0,
  };
  return job;
}

/** Aborts the unanswered calls of a job that has ended. */
export function leaveCalls({ asking }: Job): void {
  for (const controller of asking.values()) controller.abort(new Error("the handler is over"));
  asking.clear();
}

/**
 * Returns the outcome of a job that failed without an error of its own, such as by a timeout or the loss of its thread.
 */
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
  // Prevents an unhandled rejection: the promise may be rejected at closing, before anything awaits it.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
