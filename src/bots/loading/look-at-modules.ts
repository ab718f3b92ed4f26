import type { LoadedBot, LookedModule, ModuleFault } from "../messages.ts";
import { startLoading } from "../start-loading.ts";

/** What modules are, once they have been imported. */
export interface ModulesLook {
  readonly bots: readonly LoadedBot[];
  readonly modules: readonly LookedModule[];
  /** Those that can't be loaded, or are no bots where they should be. `message` has the stack. */
  readonly faults: readonly ModuleFault[];
}

export interface LookRequest {
  /** Bot modules; absolute paths. */
  readonly bots: readonly string[];
  /** Modules that rules call functions of; absolute paths. */
  readonly modules: readonly string[];
  /**
   * A module that takes more processor time, or waits longer at its top level, is a fault; as for a bot unless given.
   * Milliseconds.
   */
  readonly timeoutMs?: number | undefined;
  readonly memoryMb: number;
}

/**
 * Imports modules in a thread, as a bot would, and says what they are; none of their functions is called, and the
 * thread is ended. What a module prints is dropped.
 */
export async function lookAtModules(request: LookRequest): Promise<ModulesLook> {
  const { bots, modules, timeoutMs, memoryMb } = request;
  const nothing = (): void => {};
  const thread = await startLoading(
    bots,
    { cpuMs: timeoutMs, waitMs: timeoutMs, memoryMb, modules },
    { onMessage: nothing, onNonsense: nothing, onPrinted: nothing, onLost: nothing },
  );
  await thread.terminate();
  return { bots: thread.bots, modules: thread.modules ?? [], faults: thread.faults };
}
