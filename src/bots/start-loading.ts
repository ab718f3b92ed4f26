import type { Worker } from "node:worker_threads";
import { startThread } from "../system/start-thread.ts";
import type { FromThread, LoadedBot, ModuleFault, ToThread } from "./messages.ts";

/** A thread that has loaded every bot module that can be loaded. */
export interface LoadedThread {
  readonly bots: readonly LoadedBot[];
  readonly faults: readonly ModuleFault[];
  post(message: ToThread): void;
  terminate(): Promise<unknown>;
}

/** What a loaded thread reports. */
export interface ThreadListeners {
  onMessage(message: FromThread): void;
  /** Called once, when a loaded thread has ended on its own. */
  onLost(reason: string): void;
}

/** Loading may compile a module and what it imports. */
const LOAD_TIMEOUT_MS = 15_000;

/**
 * Starts a thread and has it load `files`. A module that ends the thread, or never lets it go on, is
 * left out and named as a fault; the others are loaded in a new thread.
 *
 * @throws when a thread can't be started at all.
 */
export async function startLoading(
  files: readonly string[],
  timeoutMs = LOAD_TIMEOUT_MS,
  listeners: ThreadListeners,
): Promise<LoadedThread> {
  const leftOut: ModuleFault[] = [];
  for (;;) {
    const wanted = files.filter((file) => !leftOut.some((fault) => fault.file === file));
    const loaded = await loadOnce(wanted, timeoutMs, listeners);
    if ("post" in loaded) return { ...loaded, faults: [...leftOut, ...loaded.faults] };
    leftOut.push(loaded);
  }
}

/** @returns The thread, or the module that was its end. */
function loadOnce(
  files: readonly string[],
  timeoutMs: number,
  listeners: ThreadListeners,
): Promise<LoadedThread | ModuleFault> {
  return new Promise((resolve, reject) => {
    const thread = startThread(new URL("./thread", import.meta.url), { typescript: true });
    let state: "loading" | "loaded" | "ended" = "loading";
    let current: string | undefined;
    let timer: NodeJS.Timeout | undefined;

    const end = (reason: string): void => {
      const before = state;
      state = "ended";
      clearTimeout(timer);
      if (before === "loaded") listeners.onLost(reason);
      if (before !== "loading") return;
      void thread.terminate();
      if (current === undefined) reject(new Error(reason));
      else resolve({ file: current, message: reason });
    };
    const watch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => end(`not loaded within ${timeoutMs} ms`), timeoutMs);
    };

    thread.on("error", (error: Error) => end(`the bots' thread died: ${error.message}`));
    thread.on("exit", (code) => end(`the bots' thread exited with ${code}`));
    thread.on("message", (message: FromThread) => {
      if (state === "ended") return;
      if (message.type === "loading") {
        current = message.file;
        watch();
      } else if (message.type === "loaded") {
        state = "loaded";
        clearTimeout(timer);
        resolve({ ...message, ...handleOf(thread, () => (state = "ended")) });
      } else listeners.onMessage(message);
    });
    watch();
    thread.postMessage({ type: "load", files } satisfies ToThread, []);
  });
}

function handleOf(thread: Worker, ending: () => void): Pick<LoadedThread, "post" | "terminate"> {
  return {
    post: (message) => thread.postMessage(message, []),
    terminate() {
      ending();
      return thread.terminate();
    },
  };
}
