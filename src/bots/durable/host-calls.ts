import type { FromThread, ToThread } from "../messages.ts";
import type { Progress, StateName, StateRead } from "./record.ts";

type AnswerEvent = Extract<ToThread, { type: "kept" | "value" }>;

/** What handlers of a thread ask of the host, until it has answered. */
export class HostCalls {
  readonly #post: (message: FromThread) => void;
  readonly #waiting = new Map<
    number,
    { readonly token: string; take(answer: AnswerEvent): void }
  >();
  #last = 0;

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  /** Resolves once it is kept; never, where it can't be: the handler is cancelled then. */
  async keep(token: string, progress: Progress): Promise<void> {
    await this.#ask(token, (call) => ({ type: "progress", token, call, progress }));
  }

  async read(token: string, name: StateName): Promise<StateRead> {
    const answer = await this.#ask(token, (call) => ({ type: "read", token, call, name }));
    return answer.type === "value" ? answer.read : { version: 0 };
  }

  answer(answer: AnswerEvent): void {
    const call = this.#waiting.get(answer.call);
    if (call?.token !== answer.token) return;
    this.#waiting.delete(answer.call);
    call.take(answer);
  }

  /** The job is over: what it asked for is not waited for any more. */
  end(token: string): void {
    for (const [call, one] of this.#waiting) if (one.token === token) this.#waiting.delete(call);
  }

  #ask(token: string, message: (call: number) => FromThread): Promise<AnswerEvent> {
    this.#last += 1;
    const call = this.#last;
    return new Promise((take) => {
      this.#waiting.set(call, { token, take });
      this.#post(message(call));
    });
  }
}
