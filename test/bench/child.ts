import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export interface ChildOptions {
  /** Absolute path of the process's file: TypeScript, or a bundled program. */
  readonly file: string;
  readonly args?: readonly string[];
  /** Processors that the process may use, as `taskset` takes them. Default: all. */
  readonly cpus?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** A process of a benchmark that exchanges lines with its parent. */
export interface Child {
  /** Resolves with the next line that the process prints. Rejects if the process ends first. */
  line(): Promise<string>;
  /** Writes a line to the process's stdin. */
  say(line: string): void;
  /**
   * Processor time of all threads of the process so far, in milliseconds. Other load of the machine does not change it.
   * `NaN` without /proc.
   */
  cpuMs(): number;
  /** Kills the process; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Whether processes can be bound to processors here. */
export function canPin(): boolean {
  return spawnSync("taskset", ["-c", "0,1", "true"]).status === 0;
}

/** Starts a file; a TypeScript file gets the flags of the current process. */
export function startChild({ file, args = [], cpus, env = {} }: ChildOptions): Child {
  const flags = file.endsWith(".ts") ? process.execArgv : [];
  const node = [process.execPath, ...flags, file, ...args];
  const [command = "", ...rest] = cpus === undefined ? node : ["taskset", "-c", cpus, ...node];
  const child = spawn(command, rest, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async line() {
      const { value, done } = await lines.next();
      if (done !== true) return value;
      throw new Error(`${file} ended with ${await ended}`);
    },
    cpuMs: () => cpuMs(child.pid ?? 0),
    say: (line) => void child.stdin.write(`${line}\n`),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Unit of processor time in /proc on Linux: hundredths of a second. */
const MS_PER_TICK = 10;

function cpuMs(pid: number): number {
  try {
    // In /proc/PID/stat, the third field follows the process name, which is in brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}
