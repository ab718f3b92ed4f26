import { inspect } from "node:util";
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import type { Dialect } from "../protocol/dialects.ts";
import { startThread } from "../system/start-thread.ts";
import type { FromThread, LoadedBot, LookedModule, ModuleFault, ToThread } from "./messages.ts";
import type { ChannelData } from "./private-channel.ts";
import { readMessage } from "./read-message.ts";

/** A thread that has loaded every bot module that can be loaded. */
export interface LoadedThread {
  readonly bots: readonly LoadedBot[];
  readonly faults: readonly ModuleFault[];
  readonly modules?: readonly LookedModule[];
  /** The system's number of the thread, where it has one. */
  readonly systemId?: number;
  /** Node's number of the thread. */
  readonly threadId: number;
  post(message: ToThread): void;
  /** The number of the job whose handler runs just now without giving the thread a turn; 0: none, or not known. */
  atWork(): number;
  terminate(): Promise<unknown>;
}

/** What a thread reports. */
export interface ThreadListeners {
  onMessage(message: FromThread): void;
  /** Something came from the thread that is none of the messages that are agreed on. */
  onNonsense(what: string): void;
  /** What the thread prints. */
  onPrinted(text: string, stream: "stdout" | "stderr"): void;
  /** Called once, when a loaded thread has ended on its own; `atWork` as above. */
  onLost(reason: string, atWork: number): void;
}

export interface ThreadLimits {
  /** A module that takes longer is left out. Milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** What the objects of the thread may take. Megabytes. */
  readonly memoryMb: number;
  /** Modules that are looked at besides. Absolute paths. */
  readonly modules?: readonly string[];
  /** The platform's words. */
  readonly dialect?: Dialect | undefined;
}

/** Loading may compile a module and what it imports. */
const LOAD_TIMEOUT_MS = 15_000;
/** Until a thread begins with its first module: only a busy machine takes long for that. */
const START_TIMEOUT_MS = 60_000;

/**
 * Starts a thread and has it load `files`. A module that ends the thread, or never lets it go on, is
 * left out and named as a fault; the others are loaded in a new thread.
 *
 * @throws when a thread can't be started at all.
 */
export async function startLoading(
  files: readonly string[],
  options: ThreadLimits,
  listeners: ThreadListeners,
): Promise<LoadedThread> {
  const leftOut: ModuleFault[] = [];
  for (;;) {
    const isWanted = (file: string) => !leftOut.some((fault) => fault.file === file);
    const modules = options.modules?.filter(isWanted);
    const limits = { ...options, ...(modules && { modules }) };
    const loaded = await loadOnce(files.filter(isWanted), limits, listeners);
    if ("post" in loaded) return { ...loaded, faults: [...leftOut, ...loaded.faults] };
    leftOut.push(loaded);
  }
}

/** @returns The thread, or the module that was its end. */
function loadOnce(
  files: readonly string[],
  { timeoutMs = LOAD_TIMEOUT_MS, memoryMb, modules, dialect }: ThreadLimits,
  listeners: ThreadListeners,
): Promise<LoadedThread | ModuleFault> {
  return new Promise((resolve, reject) => {
    const { thread, port, atWork } = newThread(memoryMb);
    let state: "loading" | "loaded" | "ended" = "loading";
    let current: string | undefined;
    let timer: NodeJS.Timeout | undefined;

    const end = (reason: string): void => {
      const before = state;
      state = "ended";
      clearTimeout(timer);
      port.close();
      if (before === "loaded") listeners.onLost(reason, atWork());
      if (before !== "loading") return;
      void thread.terminate();
      if (current === undefined) reject(new Error(reason));
      else resolve({ file: current, message: reason });
    };
    const watch = (): void => {
      clearTimeout(timer);
      const ms = current === undefined ? Math.max(timeoutMs, START_TIMEOUT_MS) : timeoutMs;
      timer = setTimeout(() => end(`not loaded within ${ms} ms`), ms);
    };
    const take = (message: FromThread): void => {
      if (message.type === "loading") {
        current = message.file;
        watch();
      } else if (message.type === "loaded" && state === "loading") {
        state = "loaded";
        clearTimeout(timer);
        resolve({ ...message, atWork, ...handleOf(thread, port, () => (state = "ended")) });
      } else listeners.onMessage(message);
    };

    thread.on("error", (error: Error) => end(`the bots' thread died: ${error.message}`));
    thread.on("exit", (code) => end(`the bots' thread exited with ${code}`));
    // Any module can post here: it is heard, and not believed.
    thread.on("message", (given: unknown) => {
      if (state !== "ended") listeners.onNonsense(`parentPort.postMessage(${shortly(given)})`);
    });
    port.on("message", (given: unknown) => {
      if (state === "ended") return;
      const message = readMessage(given);
      if (message === undefined) listeners.onNonsense(`a message that says ${shortly(given)}`);
      else take(message);
    });
    port.on("messageerror", (error) => listeners.onNonsense(`a message: ${error.message}`));
    for (const stream of ["stdout", "stderr"] as const) {
      thread[stream].setEncoding("utf8").on("data", (text: string) => {
        listeners.onPrinted(text, stream);
      });
    }
    watch();
    const besides = { ...(modules && { modules }), ...(dialect && { dialect }) };
    const load = { type: "load", files, ...besides } satisfies ToThread;
    port.postMessage(load, []);
  });
}

function newThread(memoryMb: number) {
  const { port1: port, port2 } = new MessageChannel();
  const atWork = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const thread = startThread(new URL("./thread", import.meta.url), {
    typescript: true,
    workerData: { port: port2, atWork } satisfies ChannelData,
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // Else it goes straight to this process's own, where a command prints its answers.
    stdout: true,
    stderr: true,
  });
  return { thread, port, atWork: () => Atomics.load(atWork, 0) };
}

function handleOf(
  thread: Worker,
  port: MessagePort,
  ending: () => void,
): Pick<LoadedThread, "post" | "terminate" | "threadId"> {
  return {
    // Read now: a thread that has ended has none.
    threadId: thread.threadId,
    post: (message) => port.postMessage(message, []),
    terminate() {
      ending();
      port.close();
      return thread.terminate();
    },
  };
}

const MOST_SHOWN = 100;

/** Something of which nothing is known, for a line of the log. */
function shortly(given: unknown): string {
  const text = inspect(given, { depth: 1, breakLength: Infinity });
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
