import type { Dispatcher } from "undici";
import type { AnswerHeaders } from "./rate-limits.ts";
import {
  dispatched,
  type ExchangeOptions,
  NoAnswer,
  OneWrite,
  type WireRequest,
} from "./transport.ts";

/** Bytes that wait for a slow reader before the connection is held back. */
const HELD_BACK_FROM = 1024 * 1024;

/** An answer that goes on, read piece by piece. */
export interface StreamedAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Ends with the answer; throws where the connection breaks, after what came before. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Whether the connection is held back, since what came is not read: no byte can come then. */
  readonly heldBack: boolean;
  /** Rises each time that it is held back and let go: what comes after that may be old. */
  readonly holds: number;
  /** Ends it from this side. */
  close(reason: Error): void;
}

/** What to do as an answer goes on. */
export interface StreamedOptions extends ExchangeOptions {
  /** Called as bytes arrive, whether or not anybody reads them. */
  readonly onArrival?: () => void;
}

/**
 * Sends one request once and gives its answer as soon as its headers are there; `timeoutMs` is for these.
 *
 * @throws NoAnswer
 */
export function openStreamed(
  dispatcher: Dispatcher,
  request: WireRequest,
  options: StreamedOptions,
): Promise<StreamedAnswer> {
  return new Promise<StreamedAnswer>((resolve, reject) => {
    const run = new StreamedExchange(options, resolve, reject);
    if (!run.begin()) return;
    dispatcher.dispatch(dispatched(request), run);
  });
}

class StreamedExchange implements Dispatcher.DispatchHandler {
  readonly #options: StreamedOptions;
  readonly #resolve: (answer: StreamedAnswer) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #write = new OneWrite();
  #answered = false;
  #chunks: Buffer[] = [];
  #length = 0;
  #holds = 0;
  #over: { readonly error?: Error } | undefined;
  #wake: () => void = () => undefined;

  constructor(
    options: StreamedOptions,
    resolve: (answer: StreamedAnswer) => void,
    reject: (error: Error) => void,
  ) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Starts the timeout; false when the caller had aborted already. */
  begin(): boolean {
    const { signal, timeoutMs } = this.#options;
    if (signal?.aborted === true) {
      this.#finish(new NoAnswer("no", "caller", { cause: signal.reason }));
      return false;
    }
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    const late = new Error(`no headers within ${timeoutMs} ms`);
    this.#timer = setTimeout(() => this.#break("timeout", late), timeoutMs);
    return true;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over !== undefined) throw new Error("aborted before it was sent");
    this.#write.begin(this.#options.beforeWrite, (ended, cause) => this.#break(ended, cause));
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
  ): void {
    clearTimeout(this.#timer);
    this.#answered = true;
    const heldBack = (): boolean => this.#length >= HELD_BACK_FROM;
    const holds = (): number => this.#holds;
    this.#resolve({
      status,
      headers,
      chunks: this.#read(),
      get heldBack() {
        return heldBack();
      },
      get holds() {
        return holds();
      },
      close: (reason) => this.#break("caller", reason),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#options.onArrival?.();
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length >= HELD_BACK_FROM && this.#length - chunk.length < HELD_BACK_FROM) {
      this.#holds += 1;
      controller.pause();
    }
    this.#wake();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#break("connection", error);
  }

  async *#read(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        const chunks = this.#chunks.splice(0);
        const wasHeldBack = this.#length >= HELD_BACK_FROM;
        this.#length = 0;
        // What waits in the socket may come within this call, and hold it back again.
        if (wasHeldBack) {
          this.#holds += 1;
          this.#controller?.resume();
        }
        yield* chunks;
        if (this.#chunks.length > 0) continue;
        if (this.#over?.error !== undefined) throw this.#over.error;
        if (this.#over !== undefined) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#break("caller", new Error("nobody reads it any more"));
    }
  }

  readonly #onAbort = (): void => this.#break("caller", this.#options.signal?.reason);

  #break(ended: NoAnswer["ended"], cause: unknown): void {
    if (this.#over !== undefined) return;
    const error = new NoAnswer(this.#write.sent, ended, { cause });
    this.#finish(error);
    this.#controller?.abort(error);
  }

  #finish(error?: Error): void {
    if (this.#over !== undefined) return;
    this.#over = error === undefined ? {} : { error };
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    if (!this.#answered && error !== undefined) this.#reject(error);
    this.#wake();
  }
}
