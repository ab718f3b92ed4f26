import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** Disk that can be filled and freed while a process uses it. */
export interface FullDisk {
  fill(pid: number): void;
  free(pid: number): void;
  close(): void;
}

/** Mounts a folder as a small volume. @throws if this user may not mount one. */
export async function smallVolume(folder: string, bytes: number): Promise<FullDisk> {
  await mkdir(folder, { recursive: true });
  const options = ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "tmpfs", folder];
  execFileSync("mount", options);
  const ballast = join(folder, "ballast");
  return {
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
    close: () => void spawnSync("umount", ["-l", folder]),
  };
}

/** Limits the size of the files that a process writes, as `ulimit -f` does. */
export function fileLimit(): FullDisk {
  const set = (pid: number, most: string): void =>
    void execFileSync("prlimit", ["--pid", String(pid), `--fsize=${most}:`]);
  return {
    fill: (pid) => set(pid, "1024"),
    free: (pid) => set(pid, "unlimited"),
    close: () => {},
  };
}
