import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ControlClient } from "../../../src/sandbox/index.ts";

/** A sandbox in a separate process, started from a state file. */
export interface Child {
  readonly url: string;
  readonly control: ControlClient;
  /** Duration of loading the world, in seconds. */
  readonly seconds: number;
  /** Memory in bytes, after a garbage collection. */
  memory(): Promise<{ heap: number; rss: number }>;
  /** Saves the world and ends; returns the duration in seconds. */
  close(): Promise<number>;
}

export async function startChild(file: string): Promise<Child> {
  const script = fileURLToPath(new URL("./sandbox.ts", import.meta.url));
  const process_ = spawn(process.execPath, ["--expose-gc", ...process.execArgv, script, file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(process_.stdout)[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done === true || value === undefined)
      throw new Error("the sandbox ended before it answered");
    return JSON.parse(value) as T;
  };
  const ask = <T>(what: string): Promise<T> => {
    process_.stdin.write(`${what}\n`);
    return next<T>();
  };
  const { url, seconds } = await next<{ url: string; seconds: number }>();
  return {
    url,
    seconds,
    control: new ControlClient(`${url}/_sandbox`, "bench"),
    memory: () => ask("memory"),
    close: async () => (await ask<{ seconds: number }>("close")).seconds,
  };
}
