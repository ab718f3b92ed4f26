import type { LoadedBot, LookedModule, ModuleFault } from "../messages.ts";
import { startLoading } from "../start-loading.ts";

/** Contents of imported modules. */
export interface ModulesLook {
  readonly bots: readonly LoadedBot[];
  readonly modules: readonly LookedModule[];
  /** Modules that can't be loaded, and bot modules without a bot. `message` includes the stack. */
  readonly faults: readonly ModuleFault[];
}

export interface LookRequest {
  /** Absolute paths of bot modules. */
  readonly bots: readonly string[];
  /** Absolute paths of modules whose functions rules call. */
  readonly modules: readonly string[];
  /**
   * Limit of a module's processor time and of its top-level await; default the limits of bots.
   * Milliseconds.
   */
  readonly timeoutMs?: number | undefined;
  readonly memoryMb: number;
}

/**
 * Imports modules in a temporary thread, as a bot would, and describes them. Calls none of their functions, and drops
 * their output.
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
