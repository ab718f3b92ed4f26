import type { Dispatcher } from "undici";
import { checkTimeout } from "../clock.ts";
import type { AnswerHeaders } from "./rate-limits.ts";

/** A request in the form that is sent. */
export interface WireRequest {
  readonly url: URL;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

/** Options of one exchange: a request and its response. */
export interface ExchangeOptions {
  /** Encoding of the text of a successful answer; default `utf8`. Refusals are always read as UTF-8. */
  readonly encoding?: "base64";
  /**
   * Milliseconds for the whole exchange: queueing, connecting, sending, reading. After a pause of the process
   * (suspension, a long block), bytes that already arrived are read before the timeout fires.
   */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly beforeWrite: (() => void) | undefined;
}

/** The exchange ended without a response. */
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

/**
 * Course of one request, which ends exactly once: by the response, an error, the timeout or the caller's signal.
 *
 * `beforeWrite` runs in `onRequestStart`, which undici calls in the same tick as the socket write; throwing there
 * leaves the socket untouched. A request whose connection breaks before the response is never sent again by this class:
 * its caller decides about retries.
 */
export abstract class ExchangeCourse implements Dispatcher.DispatchHandler {
  protected readonly options: ExchangeOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isWritten = false;
  #isOver = false;

  constructor(options: ExchangeOptions) {
    this.options = options;
  }

  /** Sends the request, unless the caller has aborted already. @throws UsageError if the time limit is invalid */
  start(dispatcher: Dispatcher, { url, method, headers, body }: WireRequest): void {
    const { signal, timeoutMs } = this.options;
    checkTimeout(timeoutMs);
    if (signal?.aborted === true) return this.#onAbort();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.setTimer(() => this.onTimeout(), timeoutMs);
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        // Without this header, a server may compress the response (RFC 9110, section 12.5.3).
        headers: { "accept-encoding": "identity", ...headers },
        body: body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) throw new Error("aborted before it was sent");
    if (this.#isWritten) {
      const error = new Error("the connection closed before the answer");
      this.fail("connection", error);
      throw error;
    }
    try {
      this.options.beforeWrite?.();
    } catch (error) {
      this.fail("caller", error);
      throw error;
    }
    this.#isWritten = true;
    this.#controller = controller;
  }

  abstract onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
  ): void;

  abstract onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void;

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail("connection", error);
  }

  protected abstract onTimeout(): void;

  /** Called once when the exchange ends, with its error if it failed. */
  protected abstract onOver(error: Error | undefined): void;

  /** Whether the platform may have read the request. */
  protected get sent(): NoAnswer["sent"] {
    return this.#isWritten ? "maybe" : "no";
  }

  protected fail(ended: NoAnswer["ended"], cause: unknown): void {
    this.end(new NoAnswer(this.sent, ended, { cause }));
  }

  /** Ends the exchange. Later calls do nothing. */
  protected end(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.options.signal?.removeEventListener("abort", this.#onAbort);
    this.onOver(error);
    if (error !== undefined) this.#controller?.abort(error);
  }

  protected setTimer(callback: () => void, ms: number): void {
    this.#timer = setTimeout(callback, ms);
  }

  protected stopTimer(): void {
    clearTimeout(this.#timer);
  }

  protected resume(): void {
    this.#controller?.resume();
  }

  readonly #onAbort = (): void => this.fail("caller", this.options.signal?.reason);
}
