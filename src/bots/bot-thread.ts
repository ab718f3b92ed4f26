import { setMaxListeners } from "node:events";
import type { HandlerSupport } from "./durable/record.ts";
import type { Dialect } from "../protocol/dialects.ts";
import { isOfHandler, serveHandler } from "./durable/serve-handler.ts";
import { failedOutcome, type Job, leaveCalls, newJob, type Work } from "./job.ts";
import type {
  BotLogLine,
  FromThread,
  HandlerOutcome,
  LoadedBot,
  ModuleCallOutcome,
  ModuleFault,
  ToThread,
} from "./messages.ts";
import { placeInStack } from "./watching/places.ts";
import { lineReader, type PrintedLine } from "./printed-lines.ts";
import { Suspects } from "./watching/suspects.ts";
import { LOAD_WAIT_MS, startLoading, type LoadedThread } from "./start-loading.ts";
import { ThreadFaults, type ThreadFaultsNeeds } from "./watching/thread-faults.ts";
import { putLast } from "./watching/thread-priority.ts";
import { threadUsage } from "./watching/thread-usage.ts";
import { limitTime, type Ticking } from "./watching/ticking.ts";
import { watchThread, type Watch } from "./watching/watch-thread.ts";
import { whereStuck } from "./watching/where-stuck.ts";

/** Settings and callbacks with which the host creates a thread. */
export interface BotThreadNeeds extends ThreadFaultsNeeds {
  readonly handlerTimeoutMs: number;
  readonly stallMs: number;
  /** Processor time limit for loading a module, in milliseconds. */
  readonly loadCpuMs?: number | undefined;
  readonly ticking?: Ticking | undefined;
  /** Memory limit of the thread (objects and buffers), in megabytes. */
  readonly memoryMb: number;
  /** Platform dialect of the handlers' requests; default: `post`. */
  readonly dialect?: Dialect | undefined;
  readonly onLog: (line: BotLogLine) => void;
  /** Called for a module that fails to load or loads too slowly. The host then loads it in another thread. */
  readonly onLeftOut: (fault: ModuleFault) => void;
  /** Called when the list of bots may have changed. */
  readonly onLoaded: () => void;
}

/** Reason and cause of the loss of a thread. */
interface Loss {
  readonly reason: string;
  /** Number of the job whose code was running when the thread ended unexpectedly; 0 if unknown. */
  readonly atWork: number;
  readonly place?: string | undefined;
}

/** A job fails if this many threads ended unexpectedly while it was running: it then counts as their cause. */
const MAX_LOSSES = 3;
/**
 * Milliseconds for which a stuck thread may run until its code is found, before the thread is ended. The time is
 * shorter for a thread that takes too much memory, since its memory grows while it runs.
 */
const FIND_STUCK_MS = 3_000;
const FIND_HOARDING_MS = 250;
/**
 * Time in milliseconds for the thread to confirm that a job timed out. Without a confirmation, its modules are assumed
 * to block the thread.
 */
const ANSWER_MS = 1_000;

/** Longest delay of a timer in milliseconds: a timer with a longer delay ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The restarted thread could not load the bot again. The host loads the bot's module in another thread later. */
export class BotMissing extends Error {
  override readonly name = "BotMissing";

  constructor(bot: string) {
    super(`the bot "${bot}" could not be loaded when its thread was restarted`);
  }
}

/** A worker thread with some bot modules. A watchdog supervises it and restarts it. */
export class BotThread {
  bots: readonly LoadedBot[] = [];
  faults: readonly ModuleFault[] = [];
  /** Time in milliseconds that the thread has spent on loading. Time in which it had no processor is not counted. */
  loadingMs = 0;
  readonly #needs: BotThreadNeeds;
  #files: readonly string[];
  readonly #told: ThreadFaults;
  /** Jobs that the thread is running, by their token, which messages between host and thread carry. */
  readonly #underWay = new Map<string, Job>();
  /** Files that the thread is importing for its jobs. */
  readonly #importing = new Set<string>();
  readonly #suspects: Suspects;
  readonly #closing = new AbortController();
  #thread: LoadedThread | undefined;
  #starting: Promise<void> | undefined;
  #retrying: Promise<void> | undefined;
  #watch: Watch | undefined;
  #ending = false;
  #nextNumber = 1;
  /** Number of jobs that were requested and have not ended. */
  #inHand = 0;
  #isRetired = false;

  constructor(needs: BotThreadNeeds) {
    this.#needs = needs;
    this.#files = needs.files;
    // Each waiting job adds a listener to this signal, so Node's warning about many listeners is turned off.
    setMaxListeners(0, this.#closing.signal);
    this.#told = new ThreadFaults(needs, () => this.bots);
    this.#suspects = new Suspects({
      dispatch: (job) => this.#dispatch(job),
      isAside: (author) => needs.suspensions.remainingMs(author) > 0,
      hasThread: () => this.#thread !== undefined,
    });
  }

  start(): Promise<void> {
    this.#starting ??= this.#load().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /**
   * Runs a job in the thread.
   *
   * @throws {BotMissing} if the thread was restarted and could not load the bot again.
   * @throws if the outcome is unknown; the caller should request the job again.
   */
  async run<T extends HandlerOutcome | ModuleCallOutcome>(
    work: Work,
    support?: HandlerSupport,
    signal?: AbortSignal,
  ): Promise<T> {
    const job = newJob(this.#nextNumber++, work, support, signal);
    this.#inHand += 1;
    const leave = () => this.#giveUp(job, asError(signal?.reason));
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await this.#retrying;
      await this.#dispatch(job);
      // The outcome of a `handle` job is a handler's, that of a `call` job is a module call's: `#receive` checks this.
      return (await job.settled) as T;
    } finally {
      signal?.removeEventListener("abort", leave);
      this.#inHand -= 1;
      if (this.#isRetired && this.#inHand === 0) void this.close();
    }
  }

  /** Marks the thread as replaced. The thread is closed as soon as its remaining jobs have ended. */
  retire(): void {
    this.#isRetired = true;
    if (this.#inHand === 0) void this.close();
  }

  async close(): Promise<void> {
    this.#closing.abort(CLOSED());
    this.#watch?.stop();
    this.#suspects.sign();
    for (const job of [...this.#underWay.values(), ...this.#suspects.all()]) {
      this.#settle(job, () => job.reject(CLOSED()));
    }
    await this.#starting?.catch(() => {});
    await this.#thread?.terminate();
  }

  async #load(): Promise<void> {
    const { loadCpuMs: cpuMs, memoryMb, dialect, ticking, onLog } = this.#needs;
    const read = lineReader((line) => onLog(this.#printed(line)));
    const onLeftOut = (fault: ModuleFault): void => this.#leaveOut(fault);
    const onProgress = (ms: number): void => void (this.loadingMs += ms);
    const { signal } = this.#closing;
    const thread = await startLoading(
      this.#files,
      { cpuMs, isPatient: true, memoryMb, dialect, ticking, signal, onLeftOut, onProgress },
      {
        onMessage: (message) => this.#receive(message),
        onNonsense: (what, token) =>
          this.#refuse(`the host can't read what the bot has posted: ${what}`, token),
        onPrinted: read,
        onLost: (reason, atWork) => this.#lost({ reason, atWork }),
      },
    );
    this.bots = thread.bots;
    this.faults = [];
    for (const fault of thread.faults) this.#leaveOut(fault);
    this.#thread = thread;
    this.#ending = false;
    this.#watch = watchThread({
      isBusy: () => this.#underWay.size > 0,
      ping: () => this.#post({ type: "ping" }),
      usage: () => threadUsage(thread.systemId),
      stallMs: () => (this.#importing.size > 0 ? LOAD_WAIT_MS : this.#needs.stallMs),
      memoryBytes: this.#needs.memoryMb * 2 ** 20,
      // A thread without a heartbeat gets the lowest priority, so that an endless loop does not slow others down.
      onSlow: () => thread.systemId !== undefined && putLast(thread.systemId),
      onStuck: (ms) => void this.#end(`it gave its thread no turn for ${ms} ms`, FIND_STUCK_MS),
      onHoarding: (bytes) => {
        const most = this.#needs.memoryMb;
        const reason = `it takes ${toMb(bytes)} MB of memory, and ${most} MB are the most`;
        void this.#end(reason, FIND_HOARDING_MS);
      },
    });
    this.#needs.onLoaded();
    if (this.#closing.signal.aborted) await thread.terminate();
  }

  #leaveOut(fault: ModuleFault): void {
    if (!this.#files.includes(fault.file)) return;
    this.#files = this.#files.filter((file) => file !== fault.file);
    this.bots = this.bots.filter(({ file }) => file !== fault.file);
    this.#needs.onLeftOut(fault);
  }

  #receive(message: FromThread): void {
    this.#watch?.sign(message.type === "pong" ? message.bytes : undefined);
    this.#suspects.sign();
    if (message.type === "log") this.#needs.onLog(this.#signed(message));
    else if (message.type === "fault") this.#told.stray(message.message, message);
    else if (isOfHandler(message)) {
      const job = this.#underWay.get(message.token);
      const thread = this.#thread;
      if (job !== undefined && thread !== undefined) {
        serveHandler(job, message, {
          // if the thread was replaced, its handlers no longer exist, and the answer is dropped
          post: (answer) => this.#thread === thread && thread.post(answer),
          giveUp: (error) => this.#giveUp(job, error),
        });
      }
    } else if (message.type === "importing") this.#importing.add(message.file);
    else if (message.type === "imported") this.#importing.delete(message.file);
    else if (message.type === "again") {
      const job = this.#underWay.get(message.token);
      if (job !== undefined) this.#beginAgain(job);
    } else if (message.type === "handled" || message.type === "called") {
      const job = this.#underWay.get(message.token);
      // The thread answers `handle` with `handled`, and `call` with `called`.
      const isAnswer = job?.work.type === (message.type === "handled" ? "handle" : "call");
      if (job === undefined || !isAnswer) return;
      this.#settle(job, () => job.resolve(message.outcome));
      const error = "error" in message.outcome ? message.outcome.error : undefined;
      if (error === undefined) return;
      const place = "place" in message.outcome ? message.outcome.place : placeInStack(error);
      void this.#told.failed(job, error, place);
    }
  }

  #printed({ text, stream }: PrintedLine): BotLogLine {
    const level = stream === "stderr" ? "warn" : "info";
    return this.#signed({ type: "log", level, message: text });
  }

  /** Adds the name of the thread's bot to a log line without a name, if the thread has only one bot. */
  #signed(line: BotLogLine): BotLogLine {
    const bot = line.bot ?? this.#told.only;
    return bot === undefined ? line : { ...line, bot };
  }

  async #dispatch(job: Job): Promise<void> {
    const { signal } = this.#closing;
    await job.keeping;
    await this.#needs.suspensions.pass(job.author, signal);
    while (!signal.aborted && (this.#thread === undefined || this.#starting !== undefined)) {
      await this.start();
    }
    if (signal.aborted) throw CLOSED();
    job.callerSignal?.throwIfAborted();
    this.#mustBeLoaded(job);
    const { name, work } = job;
    const ownLimitMs = work.type === "call" ? work.timeoutMs : undefined;
    const limitMs = Math.min(ownLimitMs ?? this.#needs.handlerTimeoutMs, LONGEST_TIMER_MS);
    job.stopTimer = limitTime(limitMs, () => {
      const reason = `took longer than ${limitMs} ms`;
      this.#post({ type: "cancel", token: name.token, reason });
      job.stopTimer = limitTime(ANSWER_MS, () => this.#fail(job, reason));
    });
    this.#underWay.set(name.token, job);
    this.#post({ ...work, ...name });
  }

  /** Reports a message that can't be read. If a job has posted the message, the job fails: it would wait in vain. */
  #refuse(reason: string, token: string | undefined): void {
    const job = token === undefined ? undefined : this.#underWay.get(token);
    if (job === undefined) return this.#told.stray(reason);
    this.#post({ type: "cancel", token: job.name.token, reason });
    this.#fail(job, reason);
  }

  #fail(job: Job, reason: string): void {
    void this.#told.failed(job, reason);
    this.#settle(job, () => job.resolve(failedOutcome(job, reason)));
  }

  #beginAgain(job: Job): void {
    this.#leave(job);
    this.#dispatch(job).catch((error: unknown) => job.reject(asError(error)));
  }

  /** @throws {BotMissing} */
  #mustBeLoaded({ work, author }: Job): void {
    if (work.type !== "handle" || this.bots.some(({ name }) => name === author)) return;
    throw new BotMissing(author);
  }

  /** Cancels a job that the caller no longer wants, or whose progress can't be stored. */
  #giveUp(job: Job, error: Error): void {
    this.#post({ type: "cancel", token: job.name.token, reason: error.message });
    this.#settle(job, () => job.reject(error));
  }

  #post(message: ToThread): void {
    this.#thread?.post(message);
  }

  #leave(job: Job): void {
    job.stopTimer?.();
    this.#underWay.delete(job.name.token);
    leaveCalls(job);
  }

  #settle(job: Job, resolve: () => void): void {
    this.#leave(job);
    resolve();
  }

  /** Ends a thread that is stuck or takes too much memory, after locating the code that it runs. */
  async #end(reason: string, findMs: number): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined || this.#ending) return;
    this.#ending = true;
    const place = await whereStuck(thread.threadId, {
      ownMs: findMs,
      usage: () => threadUsage(thread.systemId),
    });
    if (this.#thread !== thread) return;
    const atWork = thread.atWork();
    void thread.terminate();
    this.#lost({ reason, atWork, place });
  }

  /**
   * Handles the loss of a thread. If the job that caused the loss is known, it fails. Otherwise the running jobs are
   * retried.
   */
  #lost({ reason, atWork, place }: Loss): void {
    this.#thread = undefined;
    this.#importing.clear();
    this.#watch?.stop();
    this.#suspects.sign();
    if (this.#closing.signal.aborted) return;
    const jobs = [...this.#underWay.values()];
    const cause =
      jobs.find(({ name }) => name.number === atWork) ?? (jobs.length === 1 ? jobs[0] : undefined);
    const blamed: Job[] = [];
    for (const job of jobs) {
      this.#leave(job);
      if (cause === undefined) job.losses += 1;
      if (job === cause || job.losses >= MAX_LOSSES) blamed.push(job);
      else this.#suspects.add(job);
    }
    const ended = `${reason}; its thread was restarted`;
    for (const job of blamed) job.resolve(failedOutcome(job, ended));
    this.#told.lost(ended, place, blamed, jobs);
    this.#retrying ??= this.#retry().finally(() => {
      this.#retrying = undefined;
    });
  }

  async #retry(): Promise<void> {
    try {
      // The thread is started even without jobs, so that the next event finds it. Suspended bots need no thread yet.
      if (this.bots.every(({ name }) => this.#needs.suspensions.remainingMs(name) === 0))
        await this.start();
    } catch (error) {
      this.faults = this.#files.map((file) => ({ file, message: String(error) }));
      for (const job of this.#suspects.all()) job.reject(asError(error));
    }
    await this.#suspects.retry();
  }
}

const CLOSED = (): Error => new Error("the runtime is stopping");

function toMb(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
