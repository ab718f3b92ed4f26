import { performance } from "node:perf_hooks";
import type { Dispatcher } from "undici";
import type { AnswerHeaders } from "./rate-limits.ts";

/** Longer answers are refused: no endpoint sends one, and a bot must not run out of memory. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** A timer that fires so much after its time shows that the process stood still meanwhile. Milliseconds. */
const LATE_MS = 50;
/** How long what has arrived while the process stood still may take to be read. Milliseconds. */
const CATCH_UP_MS = 500;

/** One request as it goes over the wire. */
export interface WireRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

/** One answer, whole. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

/** Options of one exchange. */
export interface ExchangeOptions {
  /**
   * For the whole exchange: queueing, connecting, sending and reading. Time in which this process stood
   * still does not end it before what has arrived is read.
   */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly beforeWrite: (() => void) | undefined;
}

/** How an exchange ended without an answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly sent: "no" | "maybe";
  readonly ended: "connection" | "timeout" | "caller";

  constructor(sent: "no" | "maybe", ended: NoAnswer["ended"], options?: ErrorOptions) {
    super(`no answer (${ended})`, options);
    this.sent = sent;
    this.ended = ended;
  }
}

/** The answer was longer than any that the interface describes. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
}

/**
 * Sends one request once and reads its answer.
 *
 * `beforeWrite` runs in `onRequestStart`, which undici calls in the same tick as the socket write;
 * throwing there leaves the socket untouched. A request whose connection dies before its answer is
 * never written a second time here: whether to repeat is decided above.
 *
 * @throws NoAnswer, AnswerTooLong
 */
export function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  options: ExchangeOptions,
): Promise<WireAnswer> {
  return new Promise<WireAnswer>((resolve, reject) => {
    const run = new Exchange(options, resolve, reject);
    if (!run.begin()) return;
    dispatcher.dispatch(dispatched(request), run);
  });
}

/** A request as undici takes it. Its times are kept by who asks. */
export function dispatched({
  url,
  method,
  headers,
  body,
}: WireRequest): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body: body ?? null,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/** The write of a request to its connection: once, or not at all. */
export class OneWrite {
  #written = false;

  /** Whether the platform may have read it. */
  get sent(): NoAnswer["sent"] {
    return this.#written ? "maybe" : "no";
  }

  /**
   * To be called as undici is about to write.
   *
   * @param fail Called with what keeps it from being written.
   * @throws The same: the connection is left untouched then.
   */
  begin(
    beforeWrite: ExchangeOptions["beforeWrite"],
    fail: (ended: NoAnswer["ended"], cause: unknown) => void,
  ): void {
    if (this.#written) {
      const error = new Error("the connection closed before the answer");
      fail("connection", error);
      throw error;
    }
    try {
      beforeWrite?.();
    } catch (error) {
      fail("caller", error);
      throw error;
    }
    this.#written = true;
  }
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (answer: WireAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #write = new OneWrite();
  #over = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  #length = 0;

  constructor(
    options: ExchangeOptions,
    resolve: (answer: WireAnswer) => void,
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
      this.#fail("caller", signal.reason);
      return false;
    }
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    const started = performance.now();
    this.#timer = setTimeout(() => this.#atTimeout(started), timeoutMs);
    return true;
  }

  /**
   * Timers come before sockets in a turn of the event loop, so after a stop of the process, or a long
   * block, this runs while the answer waits in the socket, unread.
   */
  #atTimeout(started: number): void {
    const end = (): void => {
      const waited = Math.round(performance.now() - started);
      this.#fail("timeout", new Error(`nothing came within ${waited} ms`));
    };
    if (this.#write.sent === "no") end();
    else if (performance.now() - started < this.#options.timeoutMs + LATE_MS) setImmediate(end);
    else this.#timer = setTimeout(end, CATCH_UP_MS);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) throw new Error("aborted before it was sent");
    this.#write.begin(this.#options.beforeWrite, (ended, cause) => this.#fail(ended, cause));
    this.#controller = controller;
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
    else this.#break(new AnswerTooLong());
  }

  onResponseEnd(): void {
    const text = Buffer.concat(this.#chunks).toString("utf8");
    const answer = { status: this.#status, headers: this.#headers, text };
    if (this.#finish()) this.#resolve(answer);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail("connection", error);
  }

  readonly #onAbort = (): void => this.#fail("caller", this.#options.signal?.reason);

  #fail(ended: NoAnswer["ended"], cause: unknown): void {
    this.#break(new NoAnswer(this.#write.sent, ended, { cause }));
  }

  #break(error: Error): void {
    if (!this.#finish()) return;
    this.#reject(error);
    this.#controller?.abort(error);
  }

  /** Marks the exchange as over; false when it was already, so that later events change nothing. */
  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    return true;
  }
}
