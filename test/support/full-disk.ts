import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** A disk that can be filled and freed under a running process. */
export interface FullDisk {
  /** What makes it one. */
  readonly by: "volume" | "limit";
  fill(pid: number): void;
  free(pid: number): void;
  /** Where the folder is no volume of its own: lets the process write files of this size at most. */
  limitTo(pid: number, bytes: number): void;
  close(): void;
}

/**
 * Makes a folder a disk that can be full: a small volume of its own where this user may mount one, else a
 * limit on the size of the files that a process writes, which the system enforces in the same place.
 */
export async function fullDisk(folder: string, bytes: number): Promise<FullDisk> {
  await mkdir(folder, { recursive: true });
  const options = ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "tmpfs", folder];
  const mounted = spawnSync("mount", options).status === 0;
  return mounted ? volume(folder) : limit();
}

function volume(folder: string): FullDisk {
  const ballast = join(folder, "ballast");
  return {
    by: "volume",
    fill() {
      for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
        } catch (error) {
          if (!(error instanceof Error)) throw error;
        }
      }
    },
    free: () => rmSync(ballast, { force: true }),
    limitTo: () => {},
    close: () => void spawnSync("umount", ["-l", folder]),
  };
}

function limit(): FullDisk {
  const set = (pid: number, most: string): void =>
    void execFileSync("prlimit", ["--pid", String(pid), `--fsize=${most}:`]);
  return {
    by: "limit",
    fill: (pid) => set(pid, "1024"),
    free: (pid) => set(pid, "unlimited"),
    limitTo: (pid, bytes) => set(pid, String(bytes)),
    close: () => {},
  };
}
