import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject } from "vitest";

/** Runs `child-main.ts` in a separate process. */
export function runChild(...args: readonly string[]): {
  /** Resolves when the process has ended, with all text that it printed. */
  readonly ended: Promise<string>;
  /** Resolves when the process has printed `lines` lines. */
  printed(lines: number): Promise<void>;
  readonly pid: number;
  /** Kills the process at once, so that it can't clean up. */
  kill(): void;
} {
  const main = join(inject("prebuilt"), "test/runtime/store/child-main.js");
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  return {
    pid: child.pid ?? 0,
    printed: async (lines) => {
      while (printed.split("\n").length <= lines) await once(child.stdout, "data");
    },
    ended: once(child, "close").then(() => printed),
    kill: () => void child.kill("SIGKILL"),
  };
}
