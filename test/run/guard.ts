import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Watches this process: when it ends, even if it is killed, the guard removes a folder and ends the server with its
 * data there.
 */
export interface Guard {
  /** @param pid Process id of the running server; 0 for none. */
  watch(pid: number): void;
  /** Makes the guard act now. */
  end(): Promise<void>;
}

/** Script that reads the server's process id on its input, and stops the server when the process at the other side ends. */
const SCRIPT = `
pid=0
while read -r line; do pid=$line; done
if [ "$pid" -gt 0 ] && kill -QUIT "$pid" 2>/dev/null; then
  tries=0
  while [ "$tries" -lt 100 ] && kill -0 "$pid" 2>/dev/null; do sleep 0.05; tries=$((tries + 1)); done
  kill -KILL "$pid" 2>/dev/null
fi
rm -rf -- "$1"
`;

/** Guards that this process has started. They end by themselves after this process. */
export const guardPids = new Set<number>();

/** @param folder Folder with all data of this process, or of its server. */
export function startGuard(folder: string): Guard {
  // The guard runs in its own session, so Ctrl-C in the terminal does not reach it.
  const child = spawn("sh", ["-c", SCRIPT, "guard", folder], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
    cwd: "/",
  });
  if (child.pid !== undefined) guardPids.add(child.pid);
  const ended = once(child, "exit");
  child.unref();
  return {
    watch: (pid) => void child.stdin.write(`${pid}\n`),
    async end() {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
