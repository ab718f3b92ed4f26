import { availableParallelism } from "node:os";
import type { Dialect } from "../protocol/dialects.ts";
import { BotThread } from "./bot-thread.ts";
import type { HandlerSupport } from "./durable/record.ts";
import { type BotTrouble, faultBook } from "./watching/fault-book.ts";
import type {
  BotLogLine,
  ModuleCall,
  ModuleCallOutcome,
  Handling,
  HandlerOutcome,
  LoadedBot,
  ModuleFault,
} from "./messages.ts";
import { setAside, type SetAside, type SetAsideOptions } from "./watching/set-aside.ts";

/** Bots of a runtime, each run in a thread of its own under a watchdog. */
export interface BotHost {
  readonly bots: readonly LoadedBot[];
  /** Modules that could not be loaded. */
  readonly faults: readonly ModuleFault[];
  /** What a bot did wrong since the start; undefined: nothing. */
  trouble(bot: string): BotStanding | undefined;
  /**
   * Runs one bot's handlers for one event. A fault of theirs is part of the outcome.
   *
   * @throws when nobody can say what came of it, since the host is closed or has no thread: the same
   *   handlers are to be called again.
   *
   * @param support What keeps their progress; without it a step is refused.
   */
  handle(handling: Handling, support?: HandlerSupport): Promise<HandlerOutcome>;
  /**
   * Runs the target of a rule's `call` step; throws like `handle`.
   *
   * @param signal Once it is aborted nobody waits for it: the function's own signal is aborted, too.
   */
  call(step: ModuleCall, signal?: AbortSignal): Promise<ModuleCallOutcome>;
  /**
   * Loads the modules anew, in threads of their own, which take the place of those before; what is under way
   * there ends there. A module that can't be loaded now goes on as it was.
   *
   * @throws when no thread can be started: everything goes on as it was.
   */
  reload(files: readonly string[]): Promise<ReloadedBots>;
  close(): Promise<void>;
}

/** What has come of loading bots anew. */
export interface ReloadedBots {
  /** Names of those that go on as they were, since their module can't be loaded. */
  readonly kept: readonly string[];
  readonly faults: readonly ModuleFault[];
}

/** What a bot did wrong, and whether it is called now. */
export interface BotStanding extends BotTrouble {
  /** For how long it is still set aside, in milliseconds; 0: it is called. */
  readonly asideMs: number;
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
  /** What objects and buffers of one thread may take. Megabytes. */
  readonly memoryMb?: number;
  readonly setAside?: SetAsideOptions;
  /** The platform's words, for what handlers ask of it; `post` unless given. */
  readonly dialect?: Dialect | undefined;
  /** Milliseconds since the epoch, for what is told of faults. */
  readonly now?: () => number;
  readonly onLog?: (line: BotLogLine) => void;
}

const HANDLER_TIMEOUT_MS = 30_000;
const STALL_MS = 2_000;
const MEMORY_MB = 256;
/** What is beyond shares threads: each takes some memory, and some time of the start. */
const MOST_THREADS = 4;

/** Loads each of `files` in a thread of its own and keeps those running. Calls get a thread when they come. */
export async function startBots(options: BotHostOptions): Promise<BotHost> {
  const host = new Threads(options);
  await host.start();
  return host;
}

class Threads implements BotHost {
  readonly #options: BotHostOptions;
  readonly #setAside: SetAside;
  readonly #book;
  #files: readonly string[];
  /** Those that have bots, the latest loaded last. */
  #ofBots: readonly BotThread[] = [];
  /** Those of the last load: what could not be loaded is known there. */
  #latest: readonly BotThread[] = [];
  /** Threads of modules that rules call, by the module's path. */
  readonly #ofCalls = new Map<string, BotThread>();
  #bots: readonly LoadedBot[] = [];
  /** Bots whose name is another's. */
  #doubles: readonly LoadedBot[] = [];

  constructor(options: BotHostOptions) {
    this.#options = options;
    this.#files = options.files;
    this.#setAside = setAside(options.setAside);
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
      ...this.#doubles.map(({ file, name }) => {
        const taken = this.#bots.find((bot) => bot.name === name)?.file ?? "another";
        return { file, message: `the name "${name}" is taken by ${taken}; give this bot its own` };
      }),
    ];
  }

  trouble(bot: string): BotStanding | undefined {
    const trouble = this.#book.of(bot);
    return trouble && { ...trouble, asideMs: this.#setAside.left(bot) };
  }

  async start(): Promise<void> {
    const threads = this.#threadsFor(this.#files);
    this.#ofBots = threads;
    this.#latest = threads;
    await startAll(threads);
  }

  async reload(files: readonly string[]): Promise<ReloadedBots> {
    const threads = this.#threadsFor(files);
    try {
      await startAll(threads);
    } catch (error) {
      await Promise.all(threads.map((thread) => thread.close()));
      throw error;
    }
    const before = this.#ofBots;
    this.#files = files;
    this.#latest = threads;
    this.#ofBots = [...before, ...threads];
    this.#takeStock();
    const isServing = (thread: BotThread): boolean =>
      this.#bots.some(({ file }) => this.#threadWith(file) === thread);
    const kept = this.#bots.filter(({ file }) =>
      before.some((one) => one === this.#threadWith(file)),
    );
    for (const { name } of this.#bots)
      if (!kept.some((one) => one.name === name)) this.#setAside.forgive(name);
    this.#ofBots = this.#ofBots.filter((thread) => isServing(thread) || threads.includes(thread));
    for (const thread of before) if (!this.#ofBots.includes(thread)) thread.retire();
    // what rules call is loaded anew when it is called the next time
    for (const thread of new Set(this.#ofCalls.values())) thread.retire();
    this.#ofCalls.clear();
    return { kept: kept.map(({ name }) => name), faults: this.faults };
  }

  async handle(handling: Handling, support?: HandlerSupport): Promise<HandlerOutcome> {
    const file = this.#bots.find(({ name }) => name === handling.bot)?.file;
    const thread = file === undefined ? undefined : this.#threadWith(file);
    if (thread === undefined) {
      return { actions: [], error: `no bot named "${handling.bot}" is loaded` };
    }
    return thread.run<HandlerOutcome>({ type: "handle", ...handling }, support);
  }

  async call(step: ModuleCall, signal?: AbortSignal): Promise<ModuleCallOutcome> {
    const thread = this.#threadOf(step.module);
    return thread.run<ModuleCallOutcome>({ type: "call", ...step }, undefined, signal);
  }

  async close(): Promise<void> {
    const threads = new Set([...this.#ofBots, ...this.#latest, ...this.#ofCalls.values()]);
    await Promise.all([...threads].map((thread) => thread.close()));
  }

  /** The thread that has a bot module: the latest, where several do. */
  #threadWith(file: string): BotThread | undefined {
    return this.#ofBots.findLast(({ bots }) => bots.some((bot) => bot.file === file));
  }

  /** A module that is a bot's, too, is called where the bot runs: they may share what they remember. */
  #threadOf(module: string): BotThread {
    const place = this.#files.indexOf(module);
    const found =
      this.#threadWith(module) ?? this.#latest[place % MOST_THREADS] ?? this.#ofCalls.get(module);
    if (found !== undefined) return found;
    const others = [...new Set(this.#ofCalls.values())];
    const shared = others[this.#ofCalls.size % MOST_THREADS];
    const thread = others.length < MOST_THREADS || shared === undefined ? this.#thread([]) : shared;
    this.#ofCalls.set(module, thread);
    return thread;
  }

  #threadsFor(files: readonly string[]): readonly BotThread[] {
    const shares: string[][] = [];
    for (const [place, file] of files.entries()) (shares[place % MOST_THREADS] ??= []).push(file);
    return shares.map((share) => this.#thread(share));
  }

  #thread(files: readonly string[]): BotThread {
    const { handlerTimeoutMs, stallMs, loadTimeoutMs, memoryMb, dialect, onLog } = this.#options;
    return new BotThread({
      files,
      handlerTimeoutMs: handlerTimeoutMs ?? HANDLER_TIMEOUT_MS,
      stallMs: stallMs ?? STALL_MS,
      loadTimeoutMs,
      dialect,
      memoryMb: memoryMb ?? MEMORY_MB,
      setAside: this.#setAside,
      onLoaded: () => this.#takeStock(),
      onFault: (fault) => this.#book.note(fault),
      onLog: (line) => onLog?.(line),
    });
  }

  /** The first module of a name has it. */
  #takeStock(): void {
    const loaded = this.#files.flatMap((file) => {
      const bots = this.#threadWith(file)?.bots ?? [];
      return bots.filter((bot) => bot.file === file);
    });
    const isFirst = ({ name, file }: LoadedBot): boolean =>
      loaded.find((bot) => bot.name === name)?.file === file;
    this.#bots = loaded.filter(isFirst);
    this.#doubles = loaded.filter((bot) => !isFirst(bot));
  }
}

/** As many at a time as there are processors to do so, or each would take as long as all of them. */
async function startAll(threads: readonly BotThread[]): Promise<void> {
  const waiting = [...threads];
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await one.start();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
}
