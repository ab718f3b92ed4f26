import { syncBuiltinESMExports } from "node:module";

/**
 * Keeps the modules of this thread from ending the process or the thread by mistake, such as by `process.exit()`.
 * Errors that they do not handle are reported.
 *
 * @param onStray Called with an error outside any awaited call.
 */
export function guardProcess(onStray: (what: string, error: unknown) => void): void {
  // An unhandled error of one handler must not end the other running handlers.
  process.on("unhandledRejection", (error) => onStray("a rejection that nobody handles", error));
  process.on("uncaughtException", (error) => onStray("an exception that nobody catches", error));
  const refuse = (): never => {
    throw new Error("a bot can't end the process; throw an error to fail its own event");
  };
  const refuseGroup = (): never => {
    throw new Error("a bot can't send a signal to a group of processes; send it to each process");
  };
  process.exit = refuse;
  process.abort = refuse;
  Object.defineProperty(process, "reallyExit", { value: refuse });
  const kill = process.kill.bind(process);
  const { pid } = process;
  process.kill = (target: number | string, signal) => {
    // Node also accepts texts. Numbers below 1 are groups of processes, which may include this process.
    const id = Number(target);
    if (id < 1) return refuseGroup();
    return id === pid ? refuse() : kill(id, signal);
  };
  capPrinting(process.stdout);
  capPrinting(process.stderr);
  // Also replaces named imports in modules, such as `import { exit } from "node:process"`.
  syncBuiltinESMExports();
}

/** Maximum number of bytes that a thread may print within {@link PRINTING_MS}. The thread drops further output. */
const MAX_PRINTED_BYTES = 256 * 1024;
const PRINTING_MS = 10_000;

/** Limits the output to a stream of the thread, because output fills the process's memory until the host reads it. */
function capPrinting(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  let since = -Infinity;
  let remainingBytes = 0;
  const capped = (...args: readonly [unknown, ...unknown[]]): boolean => {
    const now = performance.now();
    if (now - since > PRINTING_MS) [since, remainingBytes] = [now, MAX_PRINTED_BYTES];
    const [chunk] = args;
    remainingBytes -= typeof chunk === "string" || chunk instanceof Uint8Array ? chunk.length : 0;
    if (remainingBytes >= 0) return Reflect.apply(write, stream, args) === true;
    const done = args.at(-1);
    if (typeof done === "function") process.nextTick(() => Reflect.apply(done, undefined, []));
    return true;
  };
  Object.defineProperty(stream, "write", { value: capped, writable: true, configurable: true });
}
