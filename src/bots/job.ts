import { randomUUID } from "node:crypto";
import type { HandlerSupport } from "./durable/record.ts";
import type {
  HandlerOutcome,
  Handling,
  JobName,
  ModuleCall,
  ModuleCallOutcome,
} from "./messages.ts";

/** What a thread is to do. */
export type Work =
  | ({ readonly type: "handle" } & Handling)
  | ({ readonly type: "call" } & ModuleCall);

/** One handler call or module call, until it is settled one way or the other. */
export interface Job {
  readonly name: JobName;
  /** A handler's has its record as it was kept last. */
  work: Work;
  /** What a handler under way may ask of the runtime. */
  readonly support?: HandlerSupport | undefined;
  /** Aborted once nobody waits for it any more. */
  readonly left?: AbortSignal | undefined;
  /** Resolves when what it asked to be kept is; it is begun again only then. */
  keeping?: Promise<void>;
  /** What it waits for of the platform and the outbox, by the number of the call; ended once nobody waits for it. */
  readonly asking: Map<number, AbortController>;
  /** Whose code it is: the bot's name, or the path of the module. */
  readonly author: string;
  readonly settled: Promise<HandlerOutcome | ModuleCallOutcome>;
  readonly resolve: (outcome: HandlerOutcome | ModuleCallOutcome) => void;
  readonly reject: (error: Error) => void;
  /** How often its thread was lost while it was under way. */
  losses: number;
  timer?: NodeJS.Timeout;
}

/** A job for `work`, not yet given to a thread. */
export function newJob(
  number: number,
  work: Work,
  support?: HandlerSupport,
  left?: AbortSignal,
): Job {
  const { promise, resolve, reject } = withResolvers<HandlerOutcome | ModuleCallOutcome>();
  return {
    name: { token: randomUUID(), number },
    work,
    support,
    left,
    asking: new Map(),
    author: work.type === "handle" ? work.bot : work.module,
    settled: promise,
    resolve,
    reject,
    losses: 0,
  };
}

/** Its thread waits for nothing any more. */
export function leaveCalls({ asking }: Job): void {
  for (const controller of asking.values()) controller.abort(new Error("the handler is over"));
  asking.clear();
}

/** What comes of a job that was the end of its thread. */
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
  // Closing may refuse it before anybody waits.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
