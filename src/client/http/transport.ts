import { performance } from "node:perf_hooks";
import type { Dispatcher } from "undici";
import { ExchangeCourse, type ExchangeOptions, type WireRequest } from "./exchange-course.ts";
import type { AnswerHeaders } from "./rate-limits.ts";

/** Maximum length of a response in bytes. No endpoint sends more, and the limit protects the bot's memory. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** A timer that fires this many milliseconds late means that the process was paused. */
const LATE_MS = 50;
/** Time to read the bytes that arrived during a pause of the process, in milliseconds. */
const CATCH_UP_MS = 500;

/** A complete response. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

/** The response was longer than {@link MAX_ANSWER_BYTES}. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
}

/**
 * Sends one request once and reads its response.
 *
 * @throws NoAnswer, AnswerTooLong
 */
export function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  options: ExchangeOptions,
): Promise<WireAnswer> {
  return new Promise<WireAnswer>((resolve, reject) => {
    new WholeExchange(options, resolve, reject).start(dispatcher, request);
  });
}

class WholeExchange extends ExchangeCourse {
  readonly #resolve: (answer: WireAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #startedAt = performance.now();
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: AnswerHeaders = {};
  #length = 0;

  constructor(
    options: ExchangeOptions,
    resolve: (answer: WireAnswer) => void,
    reject: (error: Error) => void,
  ) {
    super(options);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length <= MAX_ANSWER_BYTES) this.#chunks.push(chunk);
    else this.end(new AnswerTooLong());
  }

  /**
   * In each turn of the event loop, timers run before sockets. After a pause of the process, or a long block, this
   * method may therefore run while the response waits unread in the socket.
   */
  protected onTimeout(): void {
    const waitedMs = (): number => performance.now() - this.#startedAt;
    const end = (): void =>
      this.fail("timeout", new Error(`nothing came within ${Math.round(waitedMs())} ms`));
    if (this.sent === "no") end();
    else if (waitedMs() < this.options.timeoutMs + LATE_MS) setImmediate(end);
    else this.setTimer(end, CATCH_UP_MS);
  }

  protected onOver(error: Error | undefined): void {
    if (error !== undefined) return this.#reject(error);
    const isAccepted = this.#status >= 200 && this.#status < 300;
    const encoding = isAccepted ? this.options.encoding : undefined;
    const bytes = Buffer.concat(this.#chunks);
    // Unlike `toString`, the decoder drops a byte order mark, which is no JSON.
    const text = encoding ? bytes.toString(encoding) : new TextDecoder().decode(bytes);
    this.#resolve({ status: this.#status, headers: this.#headers, text });
  }
}
