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

/** Bots of a runtime. Their modules run in a few threads under a watchdog. */
export interface BotHost {
  readonly bots: readonly LoadedBot[];
  /** Modules that could not be loaded. */
  readonly faults: readonly ModuleFault[];
  /** Modules that are still loading. {@link bots} lists their bots if an earlier load is remembered. */
  readonly loading: readonly LoadingModule[];
  /** Faults of a bot since the start; undefined if there are none. */
  trouble(bot: string): BotStanding | undefined;
  /**
   * Runs a bot's handlers for one event, and returns their errors as part of the outcome. Waits for a bot that is still
   * loading.
   *
   * @throws if the outcome is unknown, because the host is closed or has no thread: call the same
   *   handlers again.
   *
   * @param support Storage and platform access of the handlers; without it, steps are refused.
   */
  handle(handling: Handling, support?: HandlerSupport): Promise<HandlerOutcome>;
  /**
   * Runs the target of a rule's `call` step. Throws like `handle`.
   *
   * @param signal Aborts the wait; the called function's own signal aborts too.
   */
  call(step: ModuleCall, signal?: AbortSignal): Promise<ModuleCallOutcome>;
  /**
   * Reloads the modules in new threads, which replace the old ones; work that is still running
   * there ends. A module that fails to load keeps its last working version.
   *
   * @throws if no thread can be started; everything then stays unchanged.
   */
  reload(files: readonly string[]): Promise<ReloadedBots>;
  close(): Promise<void>;
}

/** Result of a reload. */
export interface ReloadedBots {
  /** Bots that keep their last working version because their module failed to load. */
  readonly keptBots: readonly string[];
  readonly faults: readonly ModuleFault[];
}

/** Faults of a bot, and whether it is suspended. */
export interface BotStanding extends BotTrouble {
  /** Remaining suspension in milliseconds; 0 if the bot receives events. */
  readonly asideMs: number;
}

export interface BotHostOptions {
  /** Absolute paths of bot modules, `.ts` or `.js`. */
  readonly files: readonly string[];
  /** Absolute folders whose modules rules may call; default the folders of `files`. */
  readonly callsWithin?: readonly string[];
  /** Time limit of a handler in milliseconds. Past it the handler fails and its later actions are dropped. */
  readonly handlerTimeoutMs?: number;
  /** A thread that does not answer for this time is restarted. Milliseconds. */
  readonly stallMs?: number;
  /** Processor time limit of loading a module. A slower module is left out and loaded again later. Milliseconds. */
  readonly loadCpuMs?: number;
  /** Time for which the start waits for modules; slower ones are added when loaded. Milliseconds. */
  readonly patienceMs?: number;
  /** Bots as an earlier process loaded them. */
  readonly remembered?: readonly LoadedBot[];
  /** Called when the list of bots may have changed. */
  readonly onBots?: (bots: readonly LoadedBot[]) => void;
  readonly ticking?: Ticking;
  /** Memory limit of one thread (objects and buffers) in megabytes. */
  readonly memoryMb?: number;
  readonly setAside?: SetAsideOptions;
  /** Dialect of the handlers' platform requests; default `post`. */
  readonly dialect?: Dialect | undefined;
  /** Clock for fault reports, in milliseconds since the epoch. */
  readonly now?: () => number;
  readonly onLog?: (line: BotLogLine) => void;
}
