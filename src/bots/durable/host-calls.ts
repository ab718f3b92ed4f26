import type { FromThread, ToThread } from "../messages.ts";
import type { PlatformAnswer, PlatformRequest } from "../platform-request.ts";
import type { Progress, StateName, StateRead } from "./record.ts";
import type { SendOutcome } from "./send-outcome.ts";

/** Message with which the host answers a request of a running handler. */
export type HostAnswer = Extract<
  ToThread,
  { readonly type: "kept" | "value" | "became" | "answered" }
>;

/** Requests that a thread's handlers have sent to the host, and that are not answered yet. */
export class HostCalls {
  readonly #post: (message: FromThread) => void;
  readonly #waiting = new Map<number, { readonly token: string; take(answer: HostAnswer): void }>();
  #last = 0;

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  /**
   * Stores the progress of a handler. If storing fails, the promise never resolves, and the host cancels the handler.
   */
  async keep(token: string, progress: Progress): Promise<void> {
    await this.#ask(token, (call) => ({ type: "progress", token, call, progress })).answer;
  }

  async read(token: string, name: StateName): Promise<StateRead> {
    const { answer } = this.#ask(token, (call) => ({ type: "read", token, call, name }));
    return expectAnswer(await answer, "value").read;
  }

  /** Returns the outcome of a stored action, after at most `ms` milliseconds. */
  async outcome(token: string, place: number, ms: number): Promise<SendOutcome> {
    const { answer } = this.#ask(token, (call) => ({ type: "outcome", token, call, place, ms }));
    return expectAnswer(await answer, "became").outcome;
  }

  /**
   * Sends a request to the platform.
   *
   * @returns The platform's response; undefined if `signal` aborts first.
   */
  async platform(
    token: string,
    request: PlatformRequest,
    signal: AbortSignal | undefined,
  ): Promise<PlatformAnswer | undefined> {
    if (signal?.aborted === true) return undefined;
    const { call, answer } = this.#ask(token, (number) => ({
      type: "ask",
      token,
      call: number,
      request,
    }));
    let leave = (): void => {};
    const abandonedCall = new Promise<undefined>((resolve) => {
      leave = () => {
        this.#waiting.delete(call);
        this.#post({ type: "abandon", token, call });
        resolve(undefined);
      };
      signal?.addEventListener("abort", leave, { once: true });
    });
    try {
      const came = await Promise.race([answer, abandonedCall]);
      return came && expectAnswer(came, "answered").answer;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  answer(answer: HostAnswer): void {
    const call = this.#waiting.get(answer.call);
    if (call?.token !== answer.token) return;
    this.#waiting.delete(answer.call);
    call.take(answer);
  }

  /** Drops the unanswered requests of a job that has ended. */
  end(token: string): void {
    for (const [call, one] of this.#waiting) if (one.token === token) this.#waiting.delete(call);
  }

  #ask(
    token: string,
    message: (call: number) => FromThread,
  ): { readonly call: number; readonly answer: Promise<HostAnswer> } {
    this.#last += 1;
    const call = this.#last;
    const answer = new Promise<HostAnswer>((take) => {
      this.#waiting.set(call, { token, take });
      this.#post(message(call));
    });
    return { call, answer };
  }
}

/** Checks that the host's answer has the type that belongs to the request. */
function expectAnswer<T extends HostAnswer["type"]>(
  answer: HostAnswer,
  type: T,
): Extract<HostAnswer, { readonly type: T }> {
  if (isOf(answer, type)) return answer;
  throw new Error(`the host answered with "${answer.type}" where "${type}" was asked for`);
}

function isOf<T extends HostAnswer["type"]>(
  answer: HostAnswer,
  type: T,
): answer is Extract<HostAnswer, { readonly type: T }> {
  return answer.type === type;
}
