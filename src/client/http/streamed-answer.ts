import type { Dispatcher } from "undici";
import { ExchangeCourse, type ExchangeOptions, type WireRequest } from "./exchange-course.ts";
import type { AnswerHeaders } from "./rate-limits.ts";

/** Back-pressure limit: the connection pauses when a slow reader has this number of unread bytes. */
const HELD_BACK_FROM = 1024 * 1024;

/** Streaming response, read piece by piece. */
export interface StreamedAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /**
   * Pieces of the body, until the response ends. If the connection breaks, the bytes that came before are yielded, then
   * an error is thrown.
   */
  readonly chunks: AsyncIterable<Buffer>;
  /** Whether back-pressure has paused the connection. No byte can arrive during a pause. */
  readonly heldBack: boolean;
  /** Number of pauses and resumptions so far. Bytes that are read after a change may have arrived long before. */
  readonly holds: number;
  /** Ends the stream; its reader gets `reason`. */
  close(reason: Error): void;
}

/** Options of a streaming response. */
export interface StreamedOptions extends ExchangeOptions {
  /** Called whenever bytes arrive, even if the reader is not reading. */
  readonly onArrival?: () => void;
}

/**
 * Sends one request once, and returns the response as soon as its headers arrive. `timeoutMs` limits only the wait for
 * the headers.
 *
 * @throws NoAnswer
 */
export function openStreamed(
  dispatcher: Dispatcher,
  request: WireRequest,
  options: StreamedOptions,
): Promise<StreamedAnswer> {
  return new Promise<StreamedAnswer>((resolve, reject) => {
    new StreamedExchange(options, resolve, reject).start(dispatcher, request);
  });
}

class StreamedExchange extends ExchangeCourse {
  readonly #onArrival: StreamedOptions["onArrival"];
  readonly #resolve: (answer: StreamedAnswer) => void;
  readonly #reject: (error: Error) => void;
  #chunks: Buffer[] = [];
  #length = 0;
  #holds = 0;
  #over: { readonly error: Error | undefined } | undefined;
  #wake: () => void = () => undefined;

  constructor(
    options: StreamedOptions,
    resolve: (answer: StreamedAnswer) => void,
    reject: (error: Error) => void,
  ) {
    super(options);
    this.#onArrival = options.onArrival;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
  ): void {
    // A provisional response, such as 103, precedes the response itself.
    if (status < 200) return;
    this.stopTimer();
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
      close: (reason) => this.fail("caller", reason),
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#onArrival?.();
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length >= HELD_BACK_FROM && this.#length - chunk.length < HELD_BACK_FROM) {
      this.#holds += 1;
      controller.pause();
    }
    this.#wake();
  }

  protected onTimeout(): void {
    this.fail("timeout", new Error(`no headers within ${this.options.timeoutMs} ms`));
  }

  /** Rejects if no headers have come; otherwise the reader of `chunks` gets the error. */
  protected onOver(error: Error | undefined): void {
    this.#over = { error };
    if (error !== undefined) this.#reject(error);
    this.#wake();
  }

  async *#read(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        const chunks = this.#chunks.splice(0);
        const wasHeldBack = this.#length >= HELD_BACK_FROM;
        this.#length = 0;
        // Bytes that wait in the socket may arrive during `resume` and pause the connection again.
        if (wasHeldBack) {
          this.#holds += 1;
          this.resume();
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
      this.fail("caller", new Error("nobody reads it any more"));
    }
  }
}
