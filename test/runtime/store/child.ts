import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject } from "vitest";

/** Runs `child-main.ts` in a process of its own. */
export function runChild(...args: readonly string[]): {
  /** All that it printed, when it has ended. */
  readonly ended: Promise<string>;
  /** Resolves when it has printed that many lines. */
  printed(lines: number): Promise<void>;
  readonly pid: number;
  /** Ends it as a power switch would: nothing is tidied. */
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
