import { availableParallelism } from "node:os";
import { basename, dirname } from "node:path";
import { maxAgeOfBot } from "../events/triggers.ts";
import type { BotHost, BotHostOptions, BotStanding, ReloadedBots } from "./bot-host.ts";
import { BotMissing, BotThread } from "./bot-thread.ts";
import { moduleRefusal } from "./module-bounds.ts";
import type { HandlerSupport } from "./durable/record.ts";
import { compileModules } from "./loading/compile-modules.ts";
import { BotLoads, type LoadingModule, withNote } from "./loading/bot-loads.ts";
import type {
  BotLogLine,
  Handling,
  HandlerOutcome,
  LoadedBot,
  ModuleCall,
  ModuleCallOutcome,
  ModuleFault,
} from "./messages.ts";
import { faultBook } from "./watching/fault-book.ts";
import { botSuspensions, type BotSuspensions } from "./watching/bot-suspensions.ts";
import { inRealTime } from "./watching/ticking.ts";
import { counted } from "../text/counted.ts";

const HANDLER_TIMEOUT_MS = 30_000;
const STALL_MS = 2_000;
const MEMORY_MB = 256;
/** Maximum number of threads for bot modules; further modules share them. Each thread costs memory and start time. */
const MAX_THREADS = 4;

/**
 * Loads `files` in up to {@link MAX_THREADS} threads, and supervises the threads. Threads for rules' `call` steps start
 * when needed.
 */
export async function startBots(options: BotHostOptions): Promise<BotHost> {
  const host = new Threads(options);
  await host.start();
  return host;
}

class Threads implements BotHost {
  readonly #options: BotHostOptions;
  readonly #suspensions: BotSuspensions;
  readonly #callsWithin: readonly string[];
  readonly #book;
  #files: readonly string[];
  /** Threads from earlier loads that still have bots in use. */
  #before: readonly BotThread[] = [];
  /** Threads from the last load. Their faults are the current ones. */
  #latest: readonly BotThread[] = [];
  #loads: BotLoads<BotThread>;
  #isClosed = false;
  /** Bot that was last loaded from each module, by the module's path. */
  readonly #remembered = new Map<string, LoadedBot>();
  /** Last logged failure of each module, by path. */
  readonly #loggedFailures = new Map<string, string>();
  /** Threads for `call` steps of rules, by the module's path. */
  readonly #ofCalls = new Map<string, BotThread>();
  /** Number of runs that have waited for each bot that is not loaded, by its name. */
  readonly #waitingRuns = new Map<string, number>();
  #bots: readonly LoadedBot[] = [];
  /** Bots that are left out, because another module already uses their name. */
  #doubles: readonly LoadedBot[] = [];

  constructor(options: BotHostOptions) {
    this.#options = options;
    this.#files = options.files;
    this.#loads = this.#newLoads([], 0);
    for (const bot of options.remembered ?? []) this.#remembered.set(bot.file, bot);
    this.#callsWithin = options.callsWithin ?? options.files.map((file) => dirname(file));
    this.#suspensions = botSuspensions(options.suspensions);
    this.#book = faultBook({
      tell: (line) => options.onLog?.(line),
      now: options.now ?? Date.now,
    });
  }

  get bots(): readonly LoadedBot[] {
    return this.#bots;
  }

  get faults(): readonly ModuleFault[] {
    return [
      ...this.#latest.flatMap(({ faults }) => faults),
      ...this.loading.flatMap(({ file, failed }) => {
        if (failed === undefined) return [];
        const again = `tried again at ${new Date(failed.retryAt).toISOString()}`;
        return [{ file, message: withNote(failed.reason, again) }];
      }),
      ...this.#doubles.map(({ file, name }) => {
        const ownerFile = this.#bots.find((bot) => bot.name === name)?.file ?? "another";
        return {
          file,
          message: `the name "${name}" is taken by ${ownerFile}; give this bot its own`,
        };
      }),
    ];
  }

  get loading(): readonly LoadingModule[] {
    return this.#loads.list();
  }

  isWaitedFor(bot: string): boolean {
    const { file } = this.#bots.find(({ name }) => name === bot) ?? {};
    return file !== undefined && this.#threadWith(file) === undefined;
  }

  trouble(bot: string): BotStanding | undefined {
    const trouble = this.#book.of(bot);
    return trouble && { ...trouble, asideMs: this.#suspensions.remainingMs(bot) };
  }

  async start(): Promise<void> {
    const generation = this.#generation(this.#files);
    this.#latest = generation.threads;
    this.#loads = generation.loads;
    await generation.begin();
    this.#takeStock();
  }

  async reload(files: readonly string[]): Promise<ReloadedBots> {
    const next = this.#generation(files);
    try {
      await next.begin();
    } catch (error) {
      await next.loads.close();
      await Promise.all(next.threads.map((thread) => thread.close()));
      throw error;
    }
    const loads = this.#loads;
    this.#files = files;
    this.#before = [...this.#before, ...this.#latest];
    this.#latest = next.threads;
    this.#loads = next.loads;
    this.#takeStock();
    await loads.close();
    const isLate = (file: string): boolean =>
      this.loading.some((one) => one.file === file && one.failed === undefined);
    const keptBots = this.#bots.filter(({ file }) => {
      const thread = this.#threadWith(file);
      return thread !== undefined && this.#before.includes(thread) && !isLate(file);
    });
    for (const { name } of this.#bots)
      if (!keptBots.some((one) => one.name === name)) this.#suspensions.forgive(name);
    this.#leaveUnused();
    // a module that rules call is loaded again at its next call
    for (const thread of new Set(this.#ofCalls.values())) thread.retire();
    this.#ofCalls.clear();
    return { keptBots: keptBots.map(({ name }) => name), faults: this.faults };
  }

  async handle(handling: Handling, support?: HandlerSupport): Promise<HandlerOutcome> {
    const { bot } = handling;
    let hasWaited = false;
    for (;;) {
      if (this.#isClosed) throw new Error("the runtime is stopping");
      const loaded = this.#bots.find(({ name }) => name === bot);
      const thread = loaded && this.#threadWith(loaded.file);
      if (hasWaited && this.#isTooOld(handling, loaded)) return this.#tooOld(handling);
      if (thread !== undefined) {
        try {
          return await thread.run<HandlerOutcome>({ type: "handle", ...handling }, support);
        } catch (error) {
          if (!(error instanceof BotMissing)) throw error;
          continue;
        }
      }
      if (!this.#mayCome(bot)) return this.#withoutBot(handling);
      if (!hasWaited) this.#noteWait(handling);
      hasWaited = true;
      await this.#loads.changed();
      support?.signal?.throwIfAborted();
    }
  }

  async call(step: ModuleCall, signal?: AbortSignal): Promise<ModuleCallOutcome> {
    // The path is checked at each call, because the file may have been replaced, such as by a symbolic link.
    const refusal = await moduleRefusal(step.module, this.#callsWithin);
    if (refusal !== undefined) {
      return { ok: false, error: `${basename(step.module)} ${refusal.what}` };
    }
    const thread = this.#threadOf(step.module);
    return thread.run<ModuleCallOutcome>({ type: "call", ...step }, undefined, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const threads = new Set([...this.#ofBots, ...this.#ofCalls.values()]);
    await Promise.all([this.#loads.close(), ...[...threads].map((thread) => thread.close())]);
  }

  /** Threads whose bots may be in use. The threads of the latest load come last. */
  get #ofBots(): readonly BotThread[] {
    return [...this.#before, ...this.#latest];
  }

  /** Returns the outcome of a run whose bot is missing: its module was removed, or its bot got another name. */
  #withoutBot(handling: Handling): HandlerOutcome {
    const error = `no bot named "${handling.bot}" is loaded`;
    this.#say("error", handling, `${error}, so its run has failed`);
    return { actions: [], error };
  }

  /** Whether an event became older than `bot` accepts, while it waited for the bot to load. Begun runs continue. */
  #isTooOld({ record, triggers, event }: Handling, bot: LoadedBot | undefined): boolean {
    if (bot === undefined || record !== undefined) return false;
    const age = (this.#options.now ?? Date.now)() - event.at;
    return triggers.every((trigger) => age > maxAgeOfBot(bot, trigger));
  }

  #tooOld(handling: Handling): HandlerOutcome {
    const error = `the event became older than the maxAge of ${handling.bot} while this bot could not be loaded`;
    this.#say("warn", handling, error);
    return { actions: [], error };
  }

  /** Logs the first run that waits for a bot; {@link #noteLoaded} logs how many have waited. */
  #noteWait(handling: Handling): void {
    const { bot } = handling;
    const earlier = this.#waitingRuns.get(bot) ?? 0;
    this.#waitingRuns.set(bot, earlier + 1);
    if (earlier === 0)
      this.#say("warn", handling, `${bot} is not loaded; its runs wait until it is`);
  }

  /** Logs how many runs have waited for each bot that is loaded now. The count of a removed bot ends without a line. */
  #noteLoaded(): void {
    for (const [bot, runs] of this.#waitingRuns) {
      if (this.isWaitedFor(bot)) continue;
      this.#waitingRuns.delete(bot);
      if (!this.#bots.some(({ name }) => name === bot)) continue;
      const message = `${counted(runs, "run")} waited for ${bot} to be loaded`;
      this.#options.onLog?.({ type: "log", level: "info", bot, message });
    }
  }

  #say(level: BotLogLine["level"], { bot, event }: Handling, message: string): void {
    this.#options.onLog?.({ type: "log", level, bot, key: event.key, message });
  }

  /** Whether the bot may be in a module that is still loading or has failed to load, and is loaded again later. */
  #mayCome(bot: string): boolean {
    return this.loading.some(({ file }) => {
      const rememberedBot = this.#remembered.get(file);
      return rememberedBot === undefined || rememberedBot.name === bot;
    });
  }

  /** Returns the thread that runs the bot of a module; the latest one if there are several. */
  #threadWith(file: string): BotThread | undefined {
    return this.#ofBots.findLast(({ bots }) => bots.some((bot) => bot.file === file));
  }

  /**
   * Returns the thread for a called module. The module of a bot is called in the bot's thread, so that bot and call
   * share the module's state.
   */
  #threadOf(module: string): BotThread {
    const place = this.#files.indexOf(module);
    const existingThread =
      this.#threadWith(module) ?? this.#latest[place % MAX_THREADS] ?? this.#ofCalls.get(module);
    if (existingThread !== undefined) return existingThread;
    const others = [...new Set(this.#ofCalls.values())];
    const shared = others[this.#ofCalls.size % MAX_THREADS];
    const thread = others.length < MAX_THREADS || shared === undefined ? this.#thread([]) : shared;
    this.#ofCalls.set(module, thread);
    return thread;
  }

  /** Creates the threads for one load of all modules, and the object that loads the modules in these threads. */
  #generation(files: readonly string[]) {
    const shares: string[][] = [];
    for (const [place, file] of files.entries()) (shares[place % MAX_THREADS] ??= []).push(file);
    const threads: BotThread[] = [];
    const loads: BotLoads<BotThread> = this.#newLoads(threads, shares.length);
    const first = new Map(shares.map((share) => [this.#thread(share, loads), share]));
    threads.push(...first.keys());
    const begin = async (): Promise<void> => {
      // All modules are compiled together, so that the compiler starts only once. The threads read the results from a
      // cache.
      if (files.length > 0) await compileModules(files);
      await loads.begin(first, availableParallelism());
    };
    return { threads, loads, begin };
  }

  /**
   * @param threads Threads of this load. The first `shares` of them divide the modules among them. Threads for single
   * slow modules are appended later.
   */
  #newLoads(threads: BotThread[], shares: number): BotLoads<BotThread> {
    const { ticking = inRealTime, patienceMs, now = Date.now, onLog } = this.#options;
    const loads: BotLoads<BotThread> = new BotLoads({
      ticking,
      patienceMs,
      now,
      thread: (file) => {
        const thread = this.#thread([file], loads);
        threads.push(thread);
        return thread;
      },
      onLate: (thread) => {
        const place = threads.indexOf(thread);
        if (place >= shares && thread.bots.length === 0) {
          threads.splice(place, 1);
          void thread.close();
        }
        this.#takeStock();
        this.#leaveUnused();
      },
      tell: (line) => onLog?.(line),
      logged: this.#loggedFailures,
    });
    return loads;
  }

  #thread(files: readonly string[], loads?: BotLoads<BotThread>): BotThread {
    const { handlerTimeoutMs, stallMs, loadCpuMs, memoryMb, dialect, ticking, onLog } =
      this.#options;
    return new BotThread({
      files,
      handlerTimeoutMs: handlerTimeoutMs ?? HANDLER_TIMEOUT_MS,
      stallMs: stallMs ?? STALL_MS,
      loadCpuMs,
      ticking,
      dialect,
      memoryMb: memoryMb ?? MEMORY_MB,
      suspensions: this.#suspensions,
      onLeftOut: (fault) => {
        if (loads?.isOpen === true) return loads.leftOut(fault);
        // A thread of an earlier load was restarted. Its module may have been removed or replaced since then.
        const isNeeded =
          this.#files.includes(fault.file) && this.#threadWith(fault.file) === undefined;
        if (isNeeded) this.#loads.leftOut(fault);
      },
      onLoaded: () => this.#takeStock(),
      onFault: (fault) => this.#book.note(fault),
      onLog: (line) => onLog?.(line),
    });
  }

  /** Retires threads of earlier loads whose bots are no longer in use. */
  #leaveUnused(): void {
    const serving = new Set(this.#bots.map(({ file }) => this.#threadWith(file)));
    for (const thread of this.#before) if (!serving.has(thread)) thread.retire();
    this.#before = this.#before.filter((thread) => serving.has(thread));
  }

  /** Updates the list of bots. If several modules use the same name, the first module's bot is listed. */
  #takeStock(): void {
    const isLoading = (file: string): boolean => this.loading.some((one) => one.file === file);
    const loaded = this.#files.flatMap((file) => {
      const bot = this.#threadWith(file)?.bots.find((one) => one.file === file);
      if (bot !== undefined) this.#remembered.set(file, bot);
      return bot ?? (isLoading(file) ? this.#remembered.get(file) : undefined) ?? [];
    });
    const isFirst = ({ name, file }: LoadedBot): boolean =>
      loaded.find((bot) => bot.name === name)?.file === file;
    this.#bots = loaded.filter(isFirst);
    this.#doubles = loaded.filter((bot) => !isFirst(bot));
    this.#noteLoaded();
    this.#options.onBots?.(this.#bots);
  }
}
