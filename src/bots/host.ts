import type { Worker } from "node:worker_threads";
import { startThread } from "../start-thread.ts";
import type {
  Call,
  CallOutcome,
  FromThread,
  Handling,
  HandlerOutcome,
  LoadedBot,
  ModuleFault,
  ToThread,
} from "./messages.ts";

/** Bots of a runtime, run in a thread of their own under a watchdog. */
export interface BotHost {
  readonly bots: readonly LoadedBot[];
  /** Modules that could not be loaded. */
  readonly faults: readonly ModuleFault[];
  /** Runs one bot's handlers for one event. Never rejects: a fault is part of the outcome. */
  handle(handling: Handling): Promise<HandlerOutcome>;
  /** Runs the target of a rule's `call` step. Never rejects. */
  call(step: Call): Promise<CallOutcome>;
  close(): Promise<void>;
}

export interface BotHostOptions {
  /** Absolute paths of bot modules, `.ts` or `.js`. */
  readonly files: readonly string[];
  /** A handler that runs longer is failed; what it asks for afterwards is dropped. Milliseconds. */
  readonly handlerTimeoutMs?: number;
  /** A thread that answers nothing for so long is ended and started anew. Milliseconds. */
  readonly stallMs?: number;
  readonly onLog?: (line: Extract<FromThread, { type: "log" }>) => void;
}

/** Loads `files` in a new thread and keeps it running. */
export async function startBots(options: BotHostOptions): Promise<BotHost> {
  const host = new ThreadHost(options);
  await host.start();
  return host;
}

/** Loading modules may compile them; a top-level endless loop must not hold the start up for ever. */
const LOAD_TIMEOUT_MS = 30_000;

interface Waiting {
  readonly timer: NodeJS.Timeout;
  answer(message: FromThread): void;
  fail(reason: string): void;
}

class ThreadHost implements BotHost {
  bots: readonly LoadedBot[] = [];
  faults: readonly ModuleFault[] = [];
  readonly #options: BotHostOptions;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #starting: Promise<void> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lastSign = 0;
  #nextId = 1;
  #closed = false;

  constructor(options: BotHostOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    this.#starting ??= this.#spawn().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async handle(handling: Handling): Promise<HandlerOutcome> {
    const answer = await this.#ask((id) => ({ type: "handle", id, ...handling }));
    if (typeof answer === "string") return { actions: [], error: answer };
    return answer.type === "handled" ? answer.outcome : { actions: [], error: "wrong answer" };
  }

  async call(step: Call): Promise<CallOutcome> {
    const answer = await this.#ask((id) => ({ type: "call", id, ...step }), step.timeoutMs);
    if (typeof answer === "string") return { ok: false, error: answer };
    return answer.type === "called" ? answer.outcome : { ok: false, error: "wrong answer" };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    this.#failAll("the runtime is stopping");
    await this.#thread?.terminate();
  }

  async #spawn(): Promise<void> {
    const thread = startThread(new URL("./thread", import.meta.url), { typescript: true });
    this.#thread = thread;
    this.#lastSign = performance.now();
    const loaded = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        void thread.terminate();
        reject(new Error(`the bot modules were not loaded within ${LOAD_TIMEOUT_MS} ms`));
      }, LOAD_TIMEOUT_MS);
      thread.once("error", reject);
      thread.once("exit", (code) => reject(new Error(`the bots' thread exited with ${code}`)));
      thread.on("message", (message: FromThread) => {
        this.#lastSign = performance.now();
        if (message.type === "loaded") {
          this.bots = message.bots;
          this.faults = message.faults;
          clearTimeout(timer);
          resolve();
        } else this.#hear(message);
      });
    });
    thread.on("error", (error) => this.#lose(thread, `the bots' thread died: ${error.message}`));
    thread.on("exit", (code) => this.#lose(thread, `the bots' thread exited with ${code}`));
    this.#tell({ type: "load", files: this.#options.files });
    this.#watch ??= setInterval(() => this.#check(), 500).unref();
    await loaded;
  }

  #hear(message: FromThread): void {
    if (message.type === "log") this.#options.onLog?.(message);
    else if (message.type === "handled" || message.type === "called") {
      this.#waiting.get(message.id)?.answer(message);
    }
  }

  #tell(message: ToThread): void {
    this.#thread?.postMessage(message);
  }

  async #ask(
    message: (id: number) => ToThread,
    timeoutMs = this.#options.handlerTimeoutMs ?? 30_000,
  ): Promise<FromThread | string> {
    if (this.#closed) return "the runtime is stopping";
    if (this.#thread === undefined || this.#starting !== undefined) await this.start();
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const settle = (value: FromThread | string): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(value);
      };
      const timer = setTimeout(() => {
        this.#tell({ type: "cancel", id });
        settle(`took longer than ${timeoutMs} ms`);
      }, timeoutMs);
      this.#waiting.set(id, { timer, answer: settle, fail: settle });
      this.#tell(message(id));
    });
  }

  /** A thread in an endless loop answers no ping: it is ended, and what it was doing fails. */
  #check(): void {
    const thread = this.#thread;
    if (thread === undefined || this.#starting !== undefined || this.#waiting.size === 0) {
      this.#lastSign = performance.now();
      return;
    }
    const silentMs = performance.now() - this.#lastSign;
    if (silentMs > (this.#options.stallMs ?? 5_000)) {
      void thread.terminate();
      this.#lose(
        thread,
        `the bots' thread was stuck for ${Math.round(silentMs)} ms and was restarted`,
      );
    } else this.#tell({ type: "ping" });
  }

  #lose(thread: Worker, reason: string): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#failAll(reason);
    if (!this.#closed) {
      this.start().catch((error: unknown) => {
        this.faults = this.#options.files.map((file) => ({ file, message: String(error) }));
      });
    }
  }

  #failAll(reason: string): void {
    for (const waiting of this.#waiting.values()) waiting.fail(reason);
  }
}
