import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export interface ChildOptions {
  /** Absolute path of its TypeScript file. */
  readonly file: string;
  readonly args?: readonly string[];
  /** Processors that it may use, as `taskset` takes them; all unless said. */
  readonly cpus?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** A process of a benchmark, which speaks in lines. */
export interface Child {
  /** The next line that it prints. Rejects when it ends first. */
  line(): Promise<string>;
  /** Writes a line to it. */
  say(line: string): void;
  /**
   * Processor time of all its threads so far, in milliseconds: what it costs, whatever else the machine
   * does meanwhile. `NaN` where there is no /proc.
   */
  cpuMs(): number;
  /** Ends it at once, and resolves when it has ended. */
  kill(): Promise<void>;
}

/** Whether processes can be bound to processors here. */
export function canPin(): boolean {
  return spawnSync("taskset", ["-c", "0,1", "true"]).status === 0;
}

/** Starts a TypeScript file as this process was started. */
export function startChild({ file, args = [], cpus, env = {} }: ChildOptions): Child {
  const node = [process.execPath, ...process.execArgv, file, ...args];
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

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

function cpuMs(pid: number): number {
  try {
    // After the name, which stands in brackets, come the fields from the third on.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}
