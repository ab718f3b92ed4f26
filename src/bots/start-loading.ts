import { inspect } from "node:util";
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import type { Dialect } from "../protocol/dialects.ts";
import { startThread } from "../system/start-thread.ts";
import type { FromThread, LoadedBot, LookedModule, ModuleFault, ToThread } from "./messages.ts";
import { messageOf } from "../system/error-message.ts";
import type { ChannelData } from "./private-channel.ts";
import { readMessage } from "./read-message.ts";
import { usageReader } from "./watching/thread-usage.ts";
import { inRealTime, type Ticking } from "./watching/ticking.ts";
import { compileModules } from "./loading/compile-modules.ts";
import type { ServedModules } from "./loading/compiled-graph.ts";
import { type Overdue, watchLoading } from "./loading/watch-loading.ts";

/** A worker thread that has loaded its bot modules, except those that failed. */
export interface LoadedThread {
  readonly bots: readonly LoadedBot[];
  readonly faults: readonly ModuleFault[];
  readonly modules?: readonly LookedModule[];
  /** Operating system's id of the thread; absent on systems that don't report it. */
  readonly systemId?: number;
  /** Id that Node gives the thread. */
  readonly threadId: number;
  post(message: ToThread): void;
  /** Returns the number of the job whose handler is running synchronously; 0 if none is, or if unknown. */
  atWork(): number;
  terminate(): Promise<unknown>;
}

/** Callbacks for the messages, output and end of a thread. */
export interface ThreadListeners {
  onMessage(message: FromThread): void;
  /** Called for a message that matches no schema. `token`: the token in the message, if it has one. */
  onNonsense(what: string, token?: string): void;
  /** Called with text that the thread has printed. */
  onPrinted(text: string, stream: "stdout" | "stderr"): void;
  /** Called once if a loaded thread ends unexpectedly. `atWork`: the number of the job that was running, or 0. */
  onLost(reason: string, atWork: number): void;
}

export interface ThreadLimits {
  /** Limit of a module's processor time, in milliseconds. */
  readonly cpuMs?: number | undefined;
  /** Limit of a module's top-level await, in milliseconds. */
  readonly waitMs?: number | undefined;
  /** Called repeatedly with the milliseconds of loading since the last call, without time spent without a processor. */
  readonly onProgress?: ((ms: number) => void) | undefined;
  /** Whether a module that is loaded alone in a thread may spend unlimited time in its top-level await. */
  readonly isPatient?: boolean;
  /** Limit of the thread's heap, in megabytes. */
  readonly memoryMb: number;
  /** Absolute paths of modules that are imported only to report their exports. */
  readonly modules?: readonly string[];
  /** Names in the handlers' platform requests: `post` or, as on X, `tweet`; default: `post`. */
  readonly dialect?: Dialect | undefined;
  /** Aborts the loading, and ends the thread. */
  readonly signal?: AbortSignal;
  readonly ticking?: Ticking | undefined;
  /** Called for a module that was too slow or ended the thread, before it is left out and the others are loaded. */
  readonly onLeftOut?: (fault: ModuleFault) => void;
}

/** Default limits in milliseconds. The time for loading may include compiling a module and its imports. */
const LOAD_CPU_MS = 15_000;
export const LOAD_WAIT_MS = 15_000;

/**
 * Starts a thread that loads `files`. If a module ends or blocks the thread, it is left out and reported as a fault,
 * and the other modules are loaded in a new thread.
 *
 * @throws if no thread can be started, or `signal` aborts.
 */
export async function startLoading(
  files: readonly string[],
  options: ThreadLimits,
  listeners: ThreadListeners,
): Promise<LoadedThread> {
  const leftOut: ModuleFault[] = [];
  for (;;) {
    const isWanted = (file: string) => !leftOut.some((fault) => fault.file === file);
    const wanted = files.filter(isWanted);
    const modules = options.modules?.filter(isWanted);
    const isAlone = wanted.length + (modules?.length ?? 0) <= 1;
    const waitMs = options.isPatient === true && isAlone ? Infinity : options.waitMs;
    const limits = { ...options, waitMs, ...(modules && { modules }) };
    const served = await compileModules([...wanted, ...(modules ?? [])]);
    const loaded = await loadOnce({ files: wanted, served }, limits, listeners);
    if ("post" in loaded) return { ...loaded, faults: [...leftOut, ...loaded.faults] };
    leftOut.push(loaded);
    options.onLeftOut?.(loaded);
  }
}

interface Loadable {
  readonly files: readonly string[];
  /** Compiled code of all modules; undefined if the thread uses the TypeScript loader. */
  readonly served: ServedModules | undefined;
}

/** Loads modules in one thread. @returns The loaded thread, or the module that ended it. */
function loadOnce(
  { files, served }: Loadable,
  { cpuMs = LOAD_CPU_MS, waitMs = LOAD_WAIT_MS, memoryMb, ...options }: ThreadLimits,
  listeners: ThreadListeners,
): Promise<LoadedThread | ModuleFault> {
  const { modules, dialect, signal, ticking = inRealTime, onProgress } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const { thread, port, atWork } = newThread(memoryMb, served !== undefined);
    let state: "loading" | "loaded" | "ended" = "loading";
    let current: string | undefined;
    let systemId: number | undefined;

    const leaveLoading = (): void => {
      watch.stop();
      signal?.removeEventListener("abort", abort);
    };
    const end = (reason: string, overdue?: Overdue): void => {
      const before = state;
      state = "ended";
      leaveLoading();
      port.close();
      if (before === "loaded") listeners.onLost(reason, atWork());
      if (before !== "loading") return;
      void thread.terminate();
      if (current === undefined || signal?.aborted === true) reject(new Error(reason));
      else resolve({ file: current, message: reason, ...(overdue && { overdue }) });
    };
    const abort = (): void => end(messageOf(signal?.reason));
    signal?.addEventListener("abort", abort);
    const usage = usageReader(thread, () => systemId);
    const over = (overdue: Overdue, reason: string): void => end(reason, overdue);
    const watch = watchLoading(usage, { cpuMs, waitMs, onProgress }, over, ticking);
    const take = (message: FromThread): void => {
      if (message.type === "loading") {
        current = message.file;
        systemId = message.systemId;
        watch.begins();
      } else if (message.type === "loaded" && state === "loading") {
        state = "loaded";
        leaveLoading();
        resolve({ ...message, atWork, ...handleOf(thread, port, () => (state = "ended")) });
      } else listeners.onMessage(message);
    };

    thread.on("error", (error: Error) => end(`the bots' thread died: ${error.message}`));
    thread.on("exit", (code) => end(`the bots' thread exited with ${code}`));
    listenTo({ thread, port }, take, () => state !== "ended", listeners);
    const besides = { ...(modules && { modules }), ...(dialect && { dialect }) };
    const load = { type: "load", files, ...(served && { served }), ...besides } satisfies ToThread;
    port.postMessage(load, []);
  });
}

interface NewThread {
  readonly thread: Worker;
  readonly port: MessagePort;
}

/** Listens to a thread while it is open: to its valid messages, other messages, and printed text. */
function listenTo(
  { thread, port }: NewThread,
  take: (message: FromThread) => void,
  isOpen: () => boolean,
  listeners: ThreadListeners,
): void {
  // Any module can post to this port, so these messages are only logged.
  thread.on("message", (rawMessage: unknown) => {
    if (isOpen()) listeners.onNonsense(`parentPort.postMessage(${shortly(rawMessage)})`);
  });
  port.on("message", (rawMessage: unknown) => {
    if (!isOpen()) return;
    const message = readMessage(rawMessage);
    if (message !== undefined) take(message);
    else listeners.onNonsense(`a message that says ${shortly(rawMessage)}`, tokenOf(rawMessage));
  });
  port.on("messageerror", (error) => listeners.onNonsense(`a message: ${error.message}`));
  for (const stream of ["stdout", "stderr"] as const) {
    thread[stream].setEncoding("utf8").on("data", (text: string) => {
      listeners.onPrinted(text, stream);
    });
  }
}

function newThread(
  memoryMb: number,
  isCompiled: boolean,
): NewThread & { readonly atWork: () => number } {
  const { port1: port, port2 } = new MessageChannel();
  const atWork = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const thread = startThread(new URL("./thread", import.meta.url), {
    userModules: isCompiled ? "compiled" : "loaded",
    workerData: { port: port2, atWork } satisfies ChannelData,
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // Printed text is read from pipes: it must not appear in this process's own output, the output of the command.
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
    // The id is read now, because a thread that has ended has no id.
    threadId: thread.threadId,
    post: (message) => port.postMessage(message, []),
    terminate() {
      ending();
      port.close();
      return thread.terminate();
    },
  };
}

const MAX_SHOWN_CHARACTERS = 100;

/** Describes an unknown value briefly, for the log: without its token, with which any code could report an outcome. */
function shortly(rawMessage: unknown): string {
  const shown =
    tokenOf(rawMessage) === undefined ? rawMessage : { ...Object(rawMessage), token: "…" };
  const text = inspect(shown, { depth: 1, breakLength: Infinity });
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

function tokenOf(rawMessage: unknown): string | undefined {
  const isFields = typeof rawMessage === "object" && rawMessage !== null;
  const token = isFields && "token" in rawMessage ? rawMessage.token : undefined;
  return typeof token === "string" ? token : undefined;
}
