import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startThread } from "../../../start-thread.ts";
import { StoreError } from "../errors.ts";
import type { Answer, Call, Fault, Gives, Op, Said, Takes, ThreadOptions, Told } from "./calls.ts";

/** This side of the thread that holds the file: calls go over in batches, one message a turn. */
export class Thread {
  readonly partitions: number;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #ended: Promise<void>;
  #queue: Call[] = [];
  #lastId = 0;
  #closed: StoreError | undefined;

  /**
   * Starts the thread, which opens the file.
   *
   * @throws {StoreError} when it can't.
   */
  static async start(options: ThreadOptions): Promise<Thread> {
    const worker = startThread(new URL("./thread", import.meta.url), { workerData: options });
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    const [said]: Said[] = await once(worker, "message");
    if (said !== undefined && "ready" in said)
      return new Thread(worker, ended, said.ready.partitions);
    await ended;
    if (said !== undefined && "refused" in said) {
      throw toError({ ...said.refused, message: `${options.path}: ${said.refused.message}` });
    }
    throw new StoreError("E_STORE_IO", "the store's thread did not start");
  }

  private constructor(worker: Worker, ended: Promise<void>, partitions: number) {
    this.partitions = partitions;
    this.#worker = worker;
    this.#ended = ended;
    worker.on("message", (said: Said) => {
      if ("answers" in said) for (const answer of said.answers) this.#take(answer);
    });
    worker.on("error", (cause: Error) => {
      this.#fail(
        new StoreError("E_STORE_IO", `the store's thread died: ${cause.message}`, { cause }),
      );
    });
    worker.on("exit", () => this.#fail(CLOSED()));
  }

  /** Carries one call over. Calls of one turn go in one message and share a transaction. */
  ask<O extends Op>(op: O, ...args: Takes[O]): Promise<Gives[O]> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed);
        return;
      }
      const id = ++this.#lastId;
      this.#waiting.set(id, (answer) => {
        if ("fault" in answer) reject(toError(answer.fault));
        // The thread answers call `id` with what `op` gives.
        else resolve(answer.value as Gives[O]);
      });
      if (this.#queue.length === 0) setImmediate(() => this.#flush());
      const call: Call<O> = { id, op, args };
      this.#queue.push(call);
    });
  }

  /** Waits for the calls under way, then for the thread to let the file go. */
  async close(): Promise<void> {
    if (this.#closed === undefined) {
      this.#closed = CLOSED();
      this.#flush();
      this.#tell({ close: true });
    }
    await this.#ended;
  }

  #flush(): void {
    if (this.#queue.length === 0) return;
    const calls = this.#queue;
    this.#queue = [];
    this.#tell({ calls });
  }

  #tell(told: Told): void {
    this.#worker.postMessage(told, []);
  }

  #take(answer: Answer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #fail(error: StoreError): void {
    this.#closed ??= error;
    const { code, message } = error;
    for (const id of this.#waiting.keys()) this.#take({ id, fault: { code, message } });
  }
}

const CLOSED = (): StoreError => new StoreError("E_STORE_CLOSED", "the store is closed");

function toError({ code, message, hint }: Fault): StoreError {
  return new StoreError(code, message, { hint });
}
