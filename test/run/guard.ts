import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A process that watches this one. When this process ends, even if it is killed, the guard stops the server whose data
 * is in a folder, and removes the folder.
 */
export interface Guard {
  /** Sets the server to stop. @param pid Process id of the running server; 0 for none. */
  watch(pid: number): void;
  /** Stops the server and removes the folder now. */
  end(): Promise<void>;
}

/**
 * Script of the guard. It reads the server's process id from its input. When the input ends, because the watched
 * process has ended, it stops the server and removes the folder.
 */
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

/** Process ids of the guards that this process has started. They end by themselves after this process. */
export const guardPids = new Set<number>();

/** Starts a guard. @param folder Folder with all data of this process, or of its server. */
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

/**
 * Creates a folder that becomes `TMPDIR` of this process and of the processes that it starts from now on. A guard
 * removes the folder when this process ends, even if it is killed.
 *
 * @param prefix First part of the folder's name. Short, because paths of sockets inside it are limited to about 100
 * bytes.
 */
export async function guardTemporaryFiles(
  prefix: string,
): Promise<{ readonly folder: string; readonly guard: Guard }> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  // If this user is root, PostgreSQL runs as another user and has its data in this folder.
  if (process.getuid?.() === 0) await chmod(folder, 0o711);
  process.env["TMPDIR"] = folder;
  return { folder, guard: startGuard(folder) };
}
