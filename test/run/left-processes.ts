import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A running process that a run of the tests has started. */
export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Finds processes by paths that belong to one run. A process belongs to the run if its command line, its environment or
 * its working directory names one of the paths. Other users' processes are skipped if the system hides their details.
 *
 * Synchronous, because it is called by a handler of this process's `exit` event.
 */
export function processesThatName(paths: readonly string[]): readonly LeftProcess[] {
  const processes = process.platform === "linux" ? fromProc() : fromPs();
  return processes
    .filter(({ pid, text }) => pid !== process.pid && paths.some((path) => text.includes(path)))
    .map(({ pid, command }) => ({ pid, command }));
}

interface SeenProcess extends LeftProcess {
  /** Command line, environment and working directory of a process; empty for a zombie. */
  readonly text: string;
}

function fromProc(): readonly SeenProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return pids.map((pid) => {
    const read = (name: string) => ifReadable(() => readFileSync(`/proc/${pid}/${name}`, "utf8"));
    const command = read("cmdline").replaceAll("\0", " ").trim();
    const cwd = ifReadable(() => readlinkSync(`/proc/${pid}/cwd`));
    return { pid: Number(pid), command, text: [command, cwd, read("environ")].join("\n") };
  });
}

const HIDDEN = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM"]);

/** Reads a value of a process. Returns an empty text if the process has ended, or belongs to another user. */
function ifReadable(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && HIDDEN.has(String(error.code))) return "";
    throw error;
  }
}

/** Lists processes with the `ps` of macOS and BSD. The option `e` adds the environment after the command. */
function fromPs(): readonly SeenProcess[] {
  const { stdout } = spawnSync("ps", ["axeww", "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split("\n").map((line) => {
    const [, pid, command = ""] = /^\s*(\d+) (.*)$/u.exec(line) ?? [];
    return { pid: Number(pid), command, text: command };
  });
}
