import { failedOutcome, type Job, newJob, type Work } from "./job.ts";
import type {
  BotLogLine,
  ModuleCall,
  ModuleCallOutcome,
  FromThread,
  Handling,
  HandlerOutcome,
  LoadedBot,
  ModuleFault,
  ToThread,
} from "./messages.ts";
import { startLoading, type LoadedThread } from "./start-loading.ts";

/** Bots of a runtime, run in a thread of their own under a watchdog. */
export interface BotHost {
  readonly bots: readonly LoadedBot[];
  /** Modules that could not be loaded. */
  readonly faults: readonly ModuleFault[];
  /**
   * Runs one bot's handlers for one event. A fault of theirs is part of the outcome.
   *
   * @throws when nobody can say what came of it, since the host is closed or has no thread: the same
   *   handlers are to be called again.
   */
  handle(handling: Handling): Promise<HandlerOutcome>;
  /** Runs the target of a rule's `call` step; throws like `handle`. */
  call(step: ModuleCall): Promise<ModuleCallOutcome>;
  close(): Promise<void>;
}

export interface BotHostOptions {
  /** Absolute paths of bot modules, `.ts` or `.js`. */
  readonly files: readonly string[];
  /** A handler that runs longer is failed; what it asks for afterwards is dropped. Milliseconds. */
  readonly handlerTimeoutMs?: number;
  /** A thread that answers nothing for so long is ended and started anew. Milliseconds. */
  readonly stallMs?: number;
  /** A module that takes longer to load is left out. Milliseconds. */
  readonly loadTimeoutMs?: number;
  readonly onLog?: (line: BotLogLine) => void;
}

/** Loads `files` in a new thread and keeps it running. Without any, the thread starts with the first call. */
export async function startBots(options: BotHostOptions): Promise<BotHost> {
  const host = new ThreadHost(options);
  if (options.files.length > 0) await host.start();
  return host;
}

const CHECK_EVERY_MS = 500;
/** After a loss, each handler gets so long alone in the new thread, and longer when it blocks it. */
const ALONE_MS = 500;
/** A handler whose thread was lost so often while it ran is taken for the cause. */
const MOST_LOSSES = 3;

class ThreadHost implements BotHost {
  bots: readonly LoadedBot[] = [];
  faults: readonly ModuleFault[] = [];
  readonly #options: BotHostOptions;
  /** Jobs that the thread has, by id. */
  readonly #underWay = new Map<number, Job>();
  /** What was under way when a thread was lost: each may be the cause. */
  readonly #suspects: Job[] = [];
  #thread: LoadedThread | undefined;
  #starting: Promise<void> | undefined;
  #retrying: Promise<void> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #silentChecks = 0;
  #waitingForSign: (() => void)[] = [];
  #nextId = 1;
  #closed = false;

  constructor(options: BotHostOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    this.#starting ??= this.#load().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  handle(handling: Handling): Promise<HandlerOutcome> {
    return this.#run<HandlerOutcome>({ type: "handle", ...handling });
  }

  call(step: ModuleCall): Promise<ModuleCallOutcome> {
    return this.#run<ModuleCallOutcome>({ type: "call", ...step });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    this.#signOfLife();
    for (const job of [...this.#underWay.values(), ...this.#suspects.splice(0)]) {
      this.#settle(job, () => job.reject(CLOSED()));
    }
    await this.#starting?.catch(() => {});
    await this.#thread?.terminate();
  }

  async #load(): Promise<void> {
    const { files, loadTimeoutMs } = this.#options;
    const thread = await startLoading(files, loadTimeoutMs, {
      onMessage: (message) => this.#receive(message),
      onLost: (reason) => this.#threadLost(reason),
    });
    this.bots = thread.bots;
    this.faults = thread.faults;
    this.#thread = thread;
    this.#silentChecks = 0;
    this.#watch ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  #receive(message: FromThread): void {
    this.#silentChecks = 0;
    this.#signOfLife();
    if (message.type === "log") this.#options.onLog?.(message);
    else if (message.type === "handled" || message.type === "called") {
      const job = this.#underWay.get(message.id);
      if (job !== undefined) this.#settle(job, () => job.resolve(message.outcome));
    }
  }

  async #run<T extends HandlerOutcome | ModuleCallOutcome>(work: Work): Promise<T> {
    await this.#retrying;
    const job = newJob(this.#nextId++, work);
    await this.#dispatch(job);
    // The thread answers `handle` with what became of a handler, `call` with what became of a call.
    return (await job.settled) as T;
  }

  async #dispatch(job: Job): Promise<void> {
    while (!this.#closed && (this.#thread === undefined || this.#starting !== undefined)) {
      await this.start();
    }
    if (this.#closed) throw CLOSED();
    const { id, work } = job;
    const limitMs =
      (work.type === "call" ? work.timeoutMs : undefined) ??
      this.#options.handlerTimeoutMs ??
      30_000;
    job.timer = setTimeout(() => {
      this.#post({ type: "cancel", id, reason: `took longer than ${limitMs} ms` });
    }, limitMs);
    this.#underWay.set(id, job);
    this.#post({ ...work, id });
  }

  #post(message: ToThread): void {
    this.#thread?.post(message);
  }

  #settle(job: Job, resolve: () => void): void {
    clearTimeout(job.timer);
    this.#underWay.delete(job.id);
    resolve();
  }

  /**
   * A thread in an endless loop answers no ping and is ended. Pings are counted, not time: after a
   * machine's sleep much time has passed in which the thread could not answer.
   */
  #check(): void {
    if (this.#thread === undefined || this.#underWay.size === 0) {
      this.#silentChecks = 0;
      return;
    }
    this.#silentChecks += 1;
    const silentMs = this.#silentChecks * CHECK_EVERY_MS;
    if (silentMs > (this.#options.stallMs ?? 5_000)) {
      void this.#thread.terminate();
      this.#threadLost(`the bots' thread was stuck for ${silentMs} ms and was restarted`);
    } else this.#post({ type: "ping" });
  }

  /** The thread is gone. Who was alone in it is the cause; of several, each is tried again. */
  #threadLost(reason: string): void {
    this.#thread = undefined;
    this.#signOfLife();
    if (this.#closed) return;
    const lost = [...this.#underWay.values()];
    for (const job of lost) {
      clearTimeout(job.timer);
      this.#underWay.delete(job.id);
      job.losses += 1;
      if (lost.length === 1 || job.losses >= MOST_LOSSES) job.resolve(failedOutcome(job, reason));
      else this.#suspects.push(job);
    }
    this.#options.onLog?.({ type: "log", level: "error", message: reason });
    this.#retrying ??= this.#retrySuspects().finally(() => {
      this.#retrying = undefined;
    });
  }

  async #retrySuspects(): Promise<void> {
    // Also without suspects: the next event finds a thread.
    await this.start().catch((error: unknown) => this.#failAll(error));
    for (let job = this.#suspects.shift(); job !== undefined; job = this.#suspects.shift()) {
      try {
        await this.#dispatch(job);
      } catch (error) {
        job.reject(asError(error));
        continue;
      }
      await Promise.race([job.settled.catch(() => {}), this.#aloneFor(ALONE_MS)]);
    }
  }

  /** Resolves once the thread gave a sign of life after `ms`, or was lost. */
  async #aloneFor(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms).unref());
    if (this.#thread !== undefined) {
      await new Promise<void>((resolve) => this.#waitingForSign.push(resolve));
    }
  }

  #signOfLife(): void {
    for (const resolve of this.#waitingForSign.splice(0)) resolve();
  }

  #failAll(error: unknown): void {
    this.faults = this.#options.files.map((file) => ({ file, message: String(error) }));
    for (const job of this.#suspects.splice(0)) job.reject(asError(error));
  }
}

const CLOSED = (): Error => new Error("the runtime is stopping");

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
