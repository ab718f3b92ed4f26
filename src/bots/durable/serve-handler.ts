import type { Job } from "../job.ts";
import type { FromThread, ToThread } from "../messages.ts";
import type { HandlerSupport } from "./record.ts";

/** Message with which a running handler requests something from the host. */
export type HandlerRequest = Extract<
  FromThread,
  { readonly type: "progress" | "read" | "outcome" | "ask" | "abandon" }
>;

const OF_HANDLER: ReadonlySet<FromThread["type"]> = new Set([
  "progress",
  "read",
  "outcome",
  "ask",
  "abandon",
] satisfies HandlerRequest["type"][]);

/** Whether a message is a request of a running handler. */
export function isOfHandler(message: FromThread): message is HandlerRequest {
  return OF_HANDLER.has(message.type);
}

/** Executes a request of a running handler, and posts the answer to its thread. */
export function serveHandler(
  job: Job,
  request: HandlerRequest,
  {
    post,
    giveUp,
  }: {
    readonly post: (answer: ToThread) => void;
    /** Called if the request fails. The handler must then be cancelled. */
    readonly giveUp: (error: Error) => void;
  },
): void {
  if (request.type === "abandon") {
    job.asking.get(request.call)?.abort(new Error("the handler waits for it no more"));
    return;
  }
  const serve = async (): Promise<void> => {
    try {
      if (job.support === undefined) {
        throw new Error("nothing that a handler comes to is kept here");
      }
      post(await answerTo(job, request, job.support));
    } catch (error) {
      giveUp(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const served = serve();
  if (request.type === "progress") job.keeping = served;
}

async function answerTo(
  job: Job,
  request: Exclude<HandlerRequest, { readonly type: "abandon" }>,
  support: HandlerSupport,
): Promise<ToThread> {
  const { token } = job.name;
  const { call } = request;
  switch (request.type) {
    case "progress": {
      const record = await support.keep(request.progress);
      if (job.work.type === "handle") job.work = { ...job.work, record };
      return { type: "kept", token, call };
    }
    case "read":
      return { type: "value", token, call, read: await support.read(request.name) };
    case "outcome": {
      const { place, ms } = request;
      const outcome = await whileAsked(job, call, (signal) => support.outcome(place, ms, signal));
      return { type: "became", token, call, outcome };
    }
    case "ask": {
      const answer = await whileAsked(job, call, (signal) => support.ask(request.request, signal));
      return { type: "answered", token, call, answer };
    }
  }
}

/** Runs `work` with a signal that aborts when the handler no longer waits for the call. */
async function whileAsked<T>(
  { asking }: Job,
  call: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  asking.set(call, controller);
  try {
    return await work(controller.signal);
  } finally {
    asking.delete(call);
  }
}
