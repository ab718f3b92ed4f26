import type { BotThread } from "../bot-thread.ts";
import type { BotLogLine, ModuleFault } from "../messages.ts";
import { messageOf } from "../../system/error-message.ts";
import { afterTicks, TICK_MS, type Ticking } from "../watching/ticking.ts";

/** A bot module that is not loaded yet. */
export interface LoadingModule {
  readonly file: string;
  /** Start of the loading, in milliseconds since the epoch. */
  readonly since: number;
  /** Reason of the last failure, and time of the attempt after it; absent before the first failure. */
  readonly failed?: { readonly reason: string; readonly retryAt: number };
}

/** Members of a bot thread that are needed for loading its modules. */
type LoadingThread = Pick<BotThread, "start" | "close" | "bots" | "loadingMs">;

export interface BotLoadsNeeds<Thread> {
  readonly ticking: Ticking;
  readonly now: () => number;
  /** Loading time of a thread in milliseconds after which {@link BotLoads.begin} no longer waits for it. */
  readonly patienceMs?: number | undefined;
  /** Creates a thread for a single module. */
  readonly thread: (file: string) => Thread;
  /** Called when a thread finishes loading after {@link BotLoads.begin} has returned. */
  readonly onLate: (thread: Thread) => void;
  readonly tell: (line: BotLogLine) => void;
  /** Last logged failure of each module, by path, over all loads of the host: a reload does not log it again. */
  readonly logged: Map<string, string>;
}

/** Default loading time in milliseconds for which a start waits for each thread. Slower bots are added later. */
const PATIENCE_MS = 15_000;
/**
 * Maximum time for which a start waits in total, as a multiple of that loading time. It matters on a busy machine,
 * where a thread gets too little processor time to use up its loading time.
 */
const MAX_SLOWDOWN = 8;
/**
 * Pause in milliseconds before the first retry of a module. Each further pause is doubled, up to
 * {@link LONGEST_PAUSE_MS}.
 */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

interface Load<Thread> {
  readonly since: number;
  tries: number;
  thread?: Thread | undefined;
  failed?: LoadingModule["failed"];
  cancel?: () => void;
}

/** Loads bot modules in threads. Modules that fail or load slowly are retried. */
export class BotLoads<Thread extends LoadingThread> {
  readonly #needs: BotLoadsNeeds<Thread>;
  /** Modules that are loading or have failed, by path. */
  readonly #loads = new Map<string, Load<Thread>>();
  #waiting: (() => void)[] = [];
  #isPatient = true;
  #isClosed = false;

  constructor(needs: BotLoadsNeeds<Thread>) {
    this.#needs = needs;
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  list(): readonly LoadingModule[] {
    return [...this.#loads].map(([file, { since, failed }]) => ({
      file,
      since,
      ...(failed && { failed }),
    }));
  }

  /** Resolves when a module has loaded or failed, or its loading begins again. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Starts threads, at most `atATime` at once. Resolves when all threads have loaded, or when one of them has used up
   * its loading time. Modules that are late are added afterwards.
   *
   * @throws if a thread can't be started.
   */
  async begin(threads: ReadonlyMap<Thread, readonly string[]>, atATime: number): Promise<void> {
    const since = this.#needs.now();
    for (const [thread, files] of threads) {
      for (const file of files) this.#loads.set(file, { since, tries: 0, thread });
    }
    const { ticking, patienceMs = PATIENCE_MS } = this.#needs;
    let cancel = (): void => {};
    const patience = new Promise<void>((resolve) => {
      let passedMs = 0;
      cancel = ticking(() => {
        passedMs += TICK_MS;
        const open = [...this.#loads.values()].map(({ thread }) => thread?.loadingMs ?? 0);
        const isLate = open.some((ms) => ms >= patienceMs);
        if (!isLate && passedMs < patienceMs * MAX_SLOWDOWN) return;
        this.#isPatient = false;
        resolve();
      });
    });
    try {
      await this.#startAll([...threads.keys()], atATime, patience);
    } finally {
      cancel();
      this.#isPatient = false;
    }
    for (const { file, failed } of this.list()) {
      if (failed === undefined) this.#say("warn", file, `${file} is still being loaded`);
    }
  }

  /**
   * Handles a module that its thread has left out. The module is loaded again in a thread of its own: at once if it
   * awaited something at its top level for too long, after a pause if it failed otherwise.
   */
  leftOut({ file, message, overdue }: ModuleFault): void {
    if (this.#isClosed) return;
    const load = this.#loads.get(file) ?? { since: this.#needs.now(), tries: 0 };
    this.#loads.set(file, load);
    if (overdue === "waiting") this.#again(file, load);
    else this.#fail(file, load, message);
  }

  close(): Promise<unknown> {
    this.#isClosed = true;
    const threads = new Set<Thread>();
    for (const { cancel, thread } of this.#loads.values()) {
      cancel?.();
      if (thread !== undefined) threads.add(thread);
    }
    this.#loads.clear();
    this.#change();
    return Promise.all([...threads].map((thread) => thread.close()));
  }

  /**
   * Starts threads, at most `atATime` at once: more threads than processors would all be slow to load.
   */
  async #startAll(
    threads: readonly Thread[],
    atATime: number,
    patience: Promise<void>,
  ): Promise<void> {
    const waiting = [...threads];
    const next = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        await Promise.race([this.#start(one), patience]);
      }
    };
    await Promise.all(Array.from({ length: atATime }, next));
  }

  /**
   * Starts a thread.
   *
   * @throws if it can't be started while `begin` is waiting; later failures are retried.
   */
  async #start(thread: Thread): Promise<void> {
    try {
      await thread.start();
    } catch (error) {
      if (this.#isPatient) throw error;
      for (const [file, load] of this.#loads) {
        if (load.thread === thread) this.#fail(file, load, messageOf(error));
      }
      return;
    }
    for (const [file, load] of this.#loads) if (load.thread === thread) this.#loads.delete(file);
    for (const { file } of thread.bots) this.#needs.logged.delete(file);
    if (this.#isPatient || this.#isClosed) return this.#change();
    for (const { name, file } of thread.bots) this.#say("info", file, `bot ${name} is loaded now`);
    this.#needs.onLate(thread);
    this.#change();
  }

  #fail(file: string, load: Load<Thread>, reason: string): void {
    load.cancel?.();
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** load.tries, LONGEST_PAUSE_MS);
    load.tries += 1;
    load.thread = undefined;
    load.failed = { reason, retryAt: this.#needs.now() + pauseMs };
    if (load.tries > 1 || this.#needs.logged.get(file) !== reason) {
      const next = `tried again in ${pauseMs / 1_000} s`;
      this.#say("error", file, `bot not loaded: ${withNote(reason, next)}`);
    }
    this.#needs.logged.set(file, reason);
    load.cancel = afterTicks(this.#needs.ticking, pauseMs, () => this.#again(file, load));
    this.#change();
  }

  #again(file: string, load: Load<Thread>): void {
    const thread = this.#needs.thread(file);
    load.thread = thread;
    this.#start(thread).catch((error: unknown) => this.#fail(file, load, messageOf(error)));
  }

  #say(level: BotLogLine["level"], file: string, message: string): void {
    this.#needs.tell({ type: "log", level, message, fields: { file } });
  }

  #change(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Adds a note to the reason of a failure, which may be an error with its stack. */
export function withNote(reason: string, note: string): string {
  return `${reason}${reason.includes("\n") ? "\n" : "; "}${note}`;
}
