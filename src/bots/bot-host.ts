import type { Dialect } from "../protocol/dialects.ts";
import type { HandlerSupport } from "./durable/record.ts";
import type { LoadingModule } from "./loading/bot-loads.ts";
import type {
  BotLogLine,
  Handling,
  HandlerOutcome,
  LoadedBot,
  ModuleCall,
  ModuleCallOutcome,
  ModuleFault,
} from "./messages.ts";
import type { BotTrouble } from "./watching/fault-book.ts";
import type { SetAsideOptions } from "./watching/set-aside.ts";
import type { Ticking } from "./watching/ticking.ts";

/** Bots of a runtime, each run in a thread of its own under a watchdog. */
export interface BotHost {
  readonly bots: readonly LoadedBot[];
  /** Modules that could not be loaded. */
  readonly faults: readonly ModuleFault[];
  /** Modules that are not loaded yet. Their bots are among {@link bots} where they are known from an earlier load. */
  readonly loading: readonly LoadingModule[];
  /** Faults of a bot since the start; undefined: it has none. */
  trouble(bot: string): BotStanding | undefined;
  /**
   * Runs one bot's handlers for one event. A fault of theirs is part of the outcome. A bot that is not loaded yet is
   * waited for.
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

/** Outcome of loading bots again. */
export interface ReloadedBots {
  /** Names of those that go on as they were, since their module can't be loaded. */
  readonly kept: readonly string[];
  readonly faults: readonly ModuleFault[];
}

/** Faults of a bot, and whether the bot is called now. */
export interface BotStanding extends BotTrouble {
  /** For how long it is still set aside, in milliseconds; 0: it is called. */
  readonly asideMs: number;
}

export interface BotHostOptions {
  /** Absolute paths of bot modules, `.ts` or `.js`. */
  readonly files: readonly string[];
  /** Folders that rules call modules of, absolute; those of `files` unless given. */
  readonly callsWithin?: readonly string[];
  /** A handler that runs longer is failed; what it asks for afterwards is dropped. Milliseconds. */
  readonly handlerTimeoutMs?: number;
  /** A thread without an answer for this time is ended and started again. Milliseconds. */
  readonly stallMs?: number;
  /** A module that takes more processor time to load is left out, and loaded again later. Milliseconds. */
  readonly loadCpuMs?: number;
  /** The start goes on without modules that take longer; they come later. Milliseconds. */
  readonly patienceMs?: number;
  /** Bots as they were loaded by an earlier process. */
  readonly remembered?: readonly LoadedBot[];
  /** Called when the bots may be others than before. */
  readonly onBots?: (bots: readonly LoadedBot[]) => void;
  readonly ticking?: Ticking;
  /** Limit of the objects and buffers of one thread. Megabytes. */
  readonly memoryMb?: number;
  readonly setAside?: SetAsideOptions;
  /** The platform's words, for what handlers ask of it; `post` unless given. */
  readonly dialect?: Dialect | undefined;
  /** Milliseconds since the epoch, for what is told of faults. */
  readonly now?: () => number;
  readonly onLog?: (line: BotLogLine) => void;
}
