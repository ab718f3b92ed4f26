import { once } from "node:events";
import type { Worker } from "node:worker_threads";
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
  StoreThreadOptions,
  ToStoreThread,
} from "./calls.ts";

/** This side of the thread that holds the file: calls go over in batches, one message a turn. */
export class StoreThread {
  readonly partitions: number;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (outcome: CallOutcome) => void>();
  readonly #ended: Promise<void>;
  #queue: StoreCall[] = [];
  #lastId = 0;
  #closed: StoreError | undefined;

  /**
   * Starts the thread, which opens the file.
   *
   * @throws {StoreError} when it can't.
   */
  static async start(options: StoreThreadOptions): Promise<StoreThread> {
    const worker = startThread(new URL("./thread", import.meta.url), { workerData: options });
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    const [first]: FromStoreThread[] = await once(worker, "message");
    if (first !== undefined && "ready" in first) {
      return new StoreThread(worker, ended, first.ready.partitions);
    }
    await ended;
    if (first !== undefined && "refused" in first) {
      throw toError({ ...first.refused, message: `${options.path}: ${first.refused.message}` });
    }
    throw new StoreError("store-io", "the store's thread did not start");
  }

  private constructor(worker: Worker, ended: Promise<void>, partitions: number) {
    this.partitions = partitions;
    this.#worker = worker;
    this.#ended = ended;
    worker.on("message", (message: FromStoreThread) => {
      if ("outcomes" in message) for (const outcome of message.outcomes) this.#settle(outcome);
    });
    worker.on("error", (cause: Error) => {
      this.#fail(
        new StoreError("store-io", `the store's thread died: ${cause.message}`, { cause }),
      );
    });
    worker.on("exit", () => this.#fail(CLOSED()));
  }

  /** Carries one call over. Calls of one turn go in one message and share a transaction. */
  call<O extends CallName>(name: O, ...args: CallParams[O]): Promise<CallResults[O]> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed);
        return;
      }
      const id = ++this.#lastId;
      this.#waiting.set(id, (outcome) => {
        if ("fault" in outcome) reject(toError(outcome.fault));
        // The thread answers call `id` with the result of its operation.
        else resolve(outcome.value as CallResults[O]);
      });
      if (this.#queue.length === 0) setImmediate(() => this.#flush());
      const call: StoreCall<O> = { id, name, args };
      this.#queue.push(call);
    });
  }

  /** Waits for the calls under way, then for the thread to close the file. */
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
    this.#waiting.get(outcome.id)?.(outcome);
    this.#waiting.delete(outcome.id);
  }

  #fail(error: StoreError): void {
    this.#closed ??= error;
    const { code, message } = error;
    for (const id of this.#waiting.keys()) this.#settle({ id, fault: { code, message } });
  }
}

const CLOSED = (): StoreError => new StoreError("store-closed", "the store is closed");

function toError({ code, message, hint }: StoreFault): StoreError {
  return new StoreError(code, message, { hint });
}
