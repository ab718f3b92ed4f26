import type { Job } from "../job.ts";
import type { FromThread, ToThread } from "../messages.ts";

type Request = Extract<FromThread, { type: "progress" | "read" }>;

/** Does what a handler under way asks for, and answers it. */
export function serveHandler(
  job: Job,
  request: Request,
  {
    post,
    giveUp,
  }: {
    readonly post: (answer: ToThread) => void;
    /** It can't be done: the handler is not to go on. */
    readonly giveUp: (error: Error) => void;
  },
): void {
  const serve = async (): Promise<void> => {
    const { token } = job.name;
    const { call } = request;
    const { support, work } = job;
    try {
      if (support === undefined || work.type !== "handle") {
        throw new Error("nothing that a handler comes to is kept here");
      }
      if (request.type === "read") {
        post({ type: "value", token, call, read: await support.read(request.name) });
        return;
      }
      const record = await support.keep(request.progress);
      job.work = { ...work, record };
      post({ type: "kept", token, call });
    } catch (error) {
      giveUp(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const served = serve();
  if (request.type === "progress") job.keeping = served;
}
