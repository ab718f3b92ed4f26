import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { messageOf } from "../../../system/error-message.ts";
import { startThread } from "../../../system/start-thread.ts";
import { StoreError } from "../errors.ts";
import type {
  CallName,
  CallOutcome,
  CallParams,
  CallResults,
  FromStoreThread,
  StoreCall,
  StoreFault,
  StoreReady,
  StoreThreadOptions,
  ToStoreThread,
} from "./calls.ts";
import { countsForSubscribers } from "./file/work-counts.ts";

/** Client of the store thread, which holds the file. Calls made in one turn of the event loop share a message. */
export class StoreThread {
  readonly ready: StoreReady;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (outcome: CallOutcome) => void>();
  readonly #ended: Promise<void>;
  readonly #onDied: (error: StoreError) => void;
  #queue: StoreCall[] = [];
  #lastId = 0;
  #closed: StoreError | undefined;

  /**
   * Starts the thread, which opens the file.
   *
   * @param onDied Called when the store fails for good: the thread ended unexpectedly, or the file is damaged or gone.
   * @throws {StoreError} if the thread can't open the file.
   */
  static async start(
    options: StoreThreadOptions,
    onDied: (error: StoreError) => void,
  ): Promise<StoreThread> {
    const workerData: StoreThreadOptions = { ...options, counts: countsForSubscribers() };
    const worker = startThread(new URL("./thread", import.meta.url), { workerData });
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    const [first]: FromStoreThread[] = await once(worker, "message").catch((cause: unknown) => {
      throw DIED(cause);
    });
    if (first !== undefined && "ready" in first) {
      return new StoreThread(worker, ended, first.ready, onDied);
    }
    await ended;
    if (first !== undefined && "refused" in first) {
      throw toError({ ...first.refused, message: `${options.path}: ${first.refused.message}` });
    }
    throw DIED("it did not start");
  }

  private constructor(
    worker: Worker,
    ended: Promise<void>,
    ready: StoreReady,
    onDied: (error: StoreError) => void,
  ) {
    this.ready = ready;
    this.#worker = worker;
    this.#ended = ended;
    this.#onDied = onDied;
    worker.on("message", (message: FromStoreThread) => {
      if ("outcomes" in message) for (const outcome of message.outcomes) this.#settle(outcome);
      if ("lost" in message) this.#die(toError(message.lost));
    });
    worker.on("error", (cause: Error) => this.#die(DIED(cause)));
    worker.on("exit", (code) => this.#die(DIED(`it ended with code ${code}`)));
  }

  /** Whether the thread accepts no more calls. */
  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Sends a call. Calls of one turn of the event loop share a message, and their writes share a transaction. */
  call<O extends CallName>(name: O, ...args: CallParams[O]): Promise<CallResults[O]> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed);
        return;
      }
      const id = ++this.#lastId;
      this.#waiting.set(id, (outcome) => {
        if ("fault" in outcome) reject(toError(outcome.fault));
        // The outcome with this `id` has the result type of the call's operation.
        else resolve(outcome.value as CallResults[O]);
      });
      if (this.#queue.length === 0) setImmediate(() => this.#flush());
      const call: StoreCall<O> = { id, name, args };
      this.#queue.push(call);
    });
  }

  /** Waits until all calls have returned and the thread has closed the file. */
  async close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = CLOSED();
      this.#flush();
      this.#post({ close: true });
    }
    await this.#ended;
  }

  #flush(): void {
    if (this.#queue.length === 0) return;
    const calls = this.#queue;
    this.#queue = [];
    this.#post({ calls });
  }

  #post(message: ToStoreThread): void {
    this.#worker.postMessage(message, []);
  }

  #settle(outcome: CallOutcome): void {
    if ("fault" in outcome && outcome.fault.code === "store-corrupt") {
      this.#die(toError(outcome.fault));
    }
    this.#waiting.get(outcome.id)?.(outcome);
    this.#waiting.delete(outcome.id);
  }

  /** Rejects all waiting calls, because no more outcomes will arrive. */
  #die(error: StoreError): void {
    const isNews = this.#closed === undefined;
    const { code, message, hint } = (this.#closed ??= error);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const [id, settle] of waiting.entries()) settle({ id, fault: { code, message, hint } });
    if (!isNews) return;
    this.#onDied(error);
    void this.#worker.terminate();
  }
}

const CLOSED = (): StoreError => new StoreError("store-closed", "the store is closed");

/** @param cause Error of the thread, or a description of its end. */
const DIED = (cause: unknown): StoreError =>
  new StoreError("store-died", `the store's thread died: ${messageOf(cause)}`, {
    cause,
    hint: "restart the process; no acknowledged event is lost",
  });

/** Converts a fault that the store thread has reported to a `StoreError`. */
export function toError({ code, message, hint }: StoreFault): StoreError {
  return new StoreError(code, message, { hint });
}
