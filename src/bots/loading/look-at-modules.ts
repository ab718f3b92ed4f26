import type { LoadedBot, LookedModule, ModuleFault } from "../messages.ts";
import { startLoading } from "../start-loading.ts";

/** Bots and exports of modules that were imported only to check them. */
export interface ModulesLook {
  readonly bots: readonly LoadedBot[];
  readonly modules: readonly LookedModule[];
  /** Modules that can't be loaded, and bot modules that export no bot. `message` includes the stack. */
  readonly faults: readonly ModuleFault[];
}

export interface LookRequest {
  /** Absolute paths of bot modules. */
  readonly bots: readonly string[];
  /** Absolute paths of modules whose functions rules call. */
  readonly modules: readonly string[];
  /** Limit for a module's processor time, and for its top-level await, in milliseconds; default: 15 seconds each. */
  readonly timeoutMs?: number | undefined;
  readonly memoryMb: number;
}

/**
 * Imports modules in a temporary thread, as a running bot would, and describes their exports. Their functions are not
 * called, and their output is dropped.
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
