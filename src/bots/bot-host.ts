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
import type { SuspensionOptions } from "./watching/bot-suspensions.ts";
import type { Ticking } from "./watching/ticking.ts";

/** The bots of a runtime. Their modules run in a few worker threads, which a watchdog supervises. */
export interface BotHost {
  readonly bots: readonly LoadedBot[];
  /** Modules that could not be loaded. */
  readonly faults: readonly ModuleFault[];
  /** Modules that are still loading. If an earlier process has loaded them, {@link bots} already lists their bots. */
  readonly loading: readonly LoadingModule[];
  /** Whether the events of a listed bot wait, because its module is not loaded. */
  isWaitedFor(bot: string): boolean;
  /** Returns the faults of a bot since the start of the process; undefined if there are none. */
  trouble(bot: string): BotStanding | undefined;
  /**
   * Runs a bot's handlers for one event. Waits if the bot is still loading. Errors of the handlers are part of the
   * outcome.
   *
   * @param support Storage and platform access for the handlers; without it, steps are refused.
   * @throws if the outcome is unknown, because the host is closed or has no thread. The caller should then call the
   * same handlers again.
   */
  handle(handling: Handling, support?: HandlerSupport): Promise<HandlerOutcome>;
  /**
   * Runs the function that a rule's `call` step names. Throws like `handle`.
   *
   * @param signal Aborts the wait; the called function's own signal aborts too.
   */
  call(step: ModuleCall, signal?: AbortSignal): Promise<ModuleCallOutcome>;
  /**
   * Loads the modules again in new threads, which replace the old ones. Work that is running in the old threads ends
   * there. A module that fails to load keeps its last working version.
   *
   * @throws if no thread can be started; everything then stays unchanged.
   */
  reload(files: readonly string[]): Promise<ReloadedBots>;
  close(): Promise<void>;
}

/** Modules that failed to load in a reload, and the bots that therefore still run in an earlier version. */
export interface ReloadedBots {
  /** Bots that keep their last working version because their module failed to load. */
  readonly keptBots: readonly string[];
  readonly faults: readonly ModuleFault[];
}

/** Faults of a bot, and the remaining time for which it is suspended because of them. */
export interface BotStanding extends BotTrouble {
  /** Remaining suspension in milliseconds; 0 if the bot is not suspended. */
  readonly asideMs: number;
}

/** Limits of the threads that run bot modules. */
interface ThreadLimits {
  /** Time limit of a handler in milliseconds. After it, the handler fails, and its later actions are dropped. */
  readonly handlerTimeoutMs?: number;
  /** Time in milliseconds without a heartbeat after which a thread is restarted. */
  readonly stallMs?: number;
  /** Processor time limit for loading a module, in milliseconds. A slower module is left out and loaded again later. */
  readonly loadCpuMs?: number;
  /** Loading time in milliseconds for which the runtime's start waits for a module. Slower modules are added later. */
  readonly patienceMs?: number;
  /** Memory limit of one thread (objects and buffers), in megabytes. */
  readonly memoryMb?: number;
}

export interface BotHostOptions extends ThreadLimits {
  /** Absolute paths of bot modules, `.ts` or `.js`. */
  readonly files: readonly string[];
  /** Absolute folders whose modules rules may call; default: the folders of `files`. */
  readonly callsWithin?: readonly string[];
  /** Bots that an earlier process has loaded from these files. */
  readonly remembered?: readonly LoadedBot[];
  /** Called when the list of bots may have changed. */
  readonly onBots?: (bots: readonly LoadedBot[]) => void;
  readonly ticking?: Ticking;
  readonly suspensions?: SuspensionOptions;
  /** Platform dialect of the handlers' requests; default: `post`. */
  readonly dialect?: Dialect | undefined;
  /** Returns the current time in milliseconds since the epoch, for the times in reports of faults. */
  readonly now?: () => number;
  readonly onLog?: (line: BotLogLine) => void;
}
