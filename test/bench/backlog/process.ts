import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Talk, Talked } from "./talk.ts";

/** A separate process with a bot's journal, worker and outbox on a store. */
export interface BotProcess {
  talk(talk: Talk): Promise<Talked>;
  /** Number of device syncs so far; `NaN` unless they are counted. */
  syncs(): Promise<number>;
  end(): Promise<void>;
}

const CHILD = fileURLToPath(new URL("./child-answering.ts", import.meta.url));

/** Whether device syncs can be counted here. */
export const canCount = spawnSync("strace", ["-V"]).status === 0;

/**
 * Starts the bot's process.
 *
 * @param trace File in which strace records the device syncs. Without it, syncs are not counted.
 */
export async function startBot(folder: string, trace?: string): Promise<BotProcess> {
  const node = [process.execPath, ...process.execArgv, CHILD, folder];
  const command =
    trace === undefined
      ? node
      : ["strace", "-f", "-e", "trace=fsync,fdatasync,msync,sync_file_range", "-o", trace, ...node];
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done === true || value === undefined) throw new Error("the bot ended before it answered");
    return JSON.parse(value) as T;
  };
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await next();
  return {
    talk(talk) {
      child.stdin.write(`${JSON.stringify(talk)}\n`);
      return next<Talked>();
    },
    async syncs() {
      if (trace === undefined || !existsSync(trace)) return Number.NaN;
      // strace writes each line shortly after the sync
      await new Promise((resolve) => setTimeout(resolve, 100));
      return readFileSync(trace, "utf8").match(/sync\w*\(.*= 0$/gmu)?.length ?? 0;
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
