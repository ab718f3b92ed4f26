import type {
  BotLogLine,
  Call,
  CallOutcome,
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
   * @throws when nobody can say what came of it, since the host is closed or has no thread: the event
   *   is to be handled again.
   */
  handle(handling: Handling): Promise<HandlerOutcome>;
  /** Runs the target of a rule's `call` step; throws like `handle`. */
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
  /** A module that takes longer to load is left out. Milliseconds. */
  readonly loadTimeoutMs?: number;
  readonly onLog?: (line: BotLogLine) => void;
}

/** Loads `files` in a new thread and keeps it running. */
export async function startBots(options: BotHostOptions): Promise<BotHost> {
  const host = new ThreadHost(options);
  await host.start();
  return host;
}

const CHECK_EVERY_MS = 500;
/** After a loss, each handler gets so long alone in the new thread, and longer when it blocks it. */
const ALONE_MS = 500;
/** A handler whose thread was lost so often while it ran is held to be the cause. */
const MOST_LOSSES = 3;

type Work = ({ readonly type: "handle" } & Handling) | ({ readonly type: "call" } & Call);

/** Work in hand, until it is settled one way or the other. */
interface Ask {
  readonly id: number;
  readonly work: Work;
  readonly settled: Promise<HandlerOutcome | CallOutcome>;
  readonly resolve: (outcome: HandlerOutcome | CallOutcome) => void;
  readonly reject: (error: Error) => void;
  losses: number;
  timer?: NodeJS.Timeout;
}

class ThreadHost implements BotHost {
  bots: readonly LoadedBot[] = [];
  faults: readonly ModuleFault[] = [];
  readonly #options: BotHostOptions;
  /** What the thread has been given. */
  readonly #given = new Map<number, Ask>();
  /** What was under way when a thread was lost: each may be the cause. */
  readonly #suspects: Ask[] = [];
  #thread: LoadedThread | undefined;
  #starting: Promise<void> | undefined;
  #trying: Promise<void> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #silentChecks = 0;
  #awaitingSign: (() => void)[] = [];
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
    return this.#ask<HandlerOutcome>({ type: "handle", ...handling });
  }

  call(step: Call): Promise<CallOutcome> {
    return this.#ask<CallOutcome>({ type: "call", ...step });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    this.#signal();
    for (const ask of [...this.#given.values(), ...this.#suspects.splice(0)]) {
      this.#end(ask, () => ask.reject(CLOSED()));
    }
    await this.#starting?.catch(() => {});
    await this.#thread?.terminate();
  }

  async #load(): Promise<void> {
    const { files, loadTimeoutMs } = this.#options;
    const thread = await startLoading(files, loadTimeoutMs, {
      onMessage: (message) => this.#hear(message),
      onLost: (reason) => this.#lose(reason),
    });
    this.bots = thread.bots;
    this.faults = thread.faults;
    this.#thread = thread;
    this.#silentChecks = 0;
    this.#watch ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  #hear(message: FromThread): void {
    this.#silentChecks = 0;
    this.#signal();
    if (message.type === "log") this.#options.onLog?.(message);
    else if (message.type === "handled" || message.type === "called") {
      const ask = this.#given.get(message.id);
      if (ask !== undefined) this.#end(ask, () => ask.resolve(message.outcome));
    }
  }

  async #ask<T extends HandlerOutcome | CallOutcome>(work: Work): Promise<T> {
    await this.#trying;
    const ask = askOf(this.#nextId++, work);
    await this.#give(ask);
    // The thread answers `handle` with what became of a handler, `call` with what became of a call.
    return (await ask.settled) as T;
  }

  async #give(ask: Ask): Promise<void> {
    while (!this.#closed && (this.#thread === undefined || this.#starting !== undefined)) {
      await this.start();
    }
    if (this.#closed) throw CLOSED();
    const { id, work } = ask;
    const limitMs =
      (work.type === "call" ? work.timeoutMs : undefined) ??
      this.#options.handlerTimeoutMs ??
      30_000;
    ask.timer = setTimeout(() => {
      this.#tell({ type: "cancel", id, reason: `took longer than ${limitMs} ms` });
    }, limitMs);
    this.#given.set(id, ask);
    this.#tell({ ...work, id });
  }

  #tell(message: ToThread): void {
    this.#thread?.tell(message);
  }

  #end(ask: Ask, settle: () => void): void {
    clearTimeout(ask.timer);
    this.#given.delete(ask.id);
    settle();
  }

  /**
   * A thread in an endless loop answers no ping and is ended. Pings are counted, not time: after a
   * machine's sleep much time has passed in which the thread could not answer.
   */
  #check(): void {
    if (this.#thread === undefined || this.#given.size === 0) {
      this.#silentChecks = 0;
      return;
    }
    this.#silentChecks += 1;
    const silentMs = this.#silentChecks * CHECK_EVERY_MS;
    if (silentMs > (this.#options.stallMs ?? 5_000)) {
      void this.#thread.terminate();
      this.#lose(`the bots' thread was stuck for ${silentMs} ms and was restarted`);
    } else this.#tell({ type: "ping" });
  }

  /** The thread is gone. Who was alone in it is the cause; of several, each is tried again. */
  #lose(reason: string): void {
    this.#thread = undefined;
    this.#signal();
    if (this.#closed) return;
    const lost = [...this.#given.values()];
    for (const ask of lost) {
      clearTimeout(ask.timer);
      this.#given.delete(ask.id);
      ask.losses += 1;
      if (lost.length === 1 || ask.losses >= MOST_LOSSES) ask.resolve(failed(ask, reason));
      else this.#suspects.push(ask);
    }
    this.#options.onLog?.({ type: "log", level: "error", message: reason });
    this.#trying ??= this.#tryAgain().finally(() => {
      this.#trying = undefined;
    });
  }

  async #tryAgain(): Promise<void> {
    // Also without suspects: the next event finds a thread.
    await this.start().catch((error: unknown) => this.#giveUp(error));
    for (let ask = this.#suspects.shift(); ask !== undefined; ask = this.#suspects.shift()) {
      try {
        await this.#give(ask);
      } catch (error) {
        ask.reject(asError(error));
        continue;
      }
      await Promise.race([ask.settled.catch(() => {}), this.#aloneFor(ALONE_MS)]);
    }
  }

  /** Resolves once the thread gave a sign of life after `ms`, or was lost. */
  async #aloneFor(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms).unref());
    if (this.#thread !== undefined) {
      await new Promise<void>((resolve) => this.#awaitingSign.push(resolve));
    }
  }

  #signal(): void {
    for (const wake of this.#awaitingSign.splice(0)) wake();
  }

  #giveUp(error: unknown): void {
    this.faults = this.#options.files.map((file) => ({ file, message: String(error) }));
    for (const ask of this.#suspects.splice(0)) ask.reject(asError(error));
  }
}

function askOf(id: number, work: Work): Ask {
  const { promise, resolve, reject } = withResolvers<HandlerOutcome | CallOutcome>();
  return { id, work, settled: promise, resolve, reject, losses: 0 };
}

function failed({ work }: Ask, error: string): HandlerOutcome | CallOutcome {
  return work.type === "handle" ? { actions: [], error } : { ok: false, error };
}

const CLOSED = (): Error => new Error("the runtime is stopping");

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((take, refuse) => {
    resolve = take;
    reject = refuse;
  });
  // Closing may refuse it before anybody waits.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
