import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

const execute = promisify(execFile);

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
}

/** Returns the ids of the running processes that the process `pid` has started. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const all = await running();
  return all.filter(({ parent }) => parent === pid).map((one) => one.pid);
}

/** Returns the ids among `pids` whose processes are still running. Zombies do not count as running. */
export async function stillRunning(pids: readonly number[]): Promise<readonly number[]> {
  const all = new Set((await running()).map(({ pid }) => pid));
  return pids.filter((pid) => all.has(pid));
}

async function running(): Promise<readonly RunningProcess[]> {
  const lines = process.platform === "linux" ? await fromProc() : await fromPs();
  return lines.flatMap(({ pid, parent, state }) => (state.startsWith("Z") ? [] : { pid, parent }));
}

async function fromProc() {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  // A process may end while its /proc entry is read.
  const texts = await Promise.all(
    names.map((name) => readFile(`/proc/${name}/stat`, "utf8").catch(() => "")),
  );
  return texts.flatMap((text) => {
    const [, pid, state = "", parent] = /^(\d+) \(.*\) (\S) (\d+)/su.exec(text) ?? [];
    return pid === undefined ? [] : { pid: Number(pid), parent: Number(parent), state };
  });
}

async function fromPs() {
  const { stdout } = await execute("ps", ["-A", "-o", "pid=,ppid=,state="]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => {
      const [pid, parent, state = ""] = line.trim().split(/\s+/u);
      return { pid: Number(pid), parent: Number(parent), state };
    });
}
