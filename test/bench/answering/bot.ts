import { fileURLToPath } from "node:url";
import { startChild } from "../child.ts";
import { deliverer, type Deliverer } from "./deliverer.ts";
import { startPlatform, type Platform } from "./platform.ts";

const WEBHOOK = "https://bot.example/webhook";

/** What a runtime of a benchmark says of itself. */
export interface BotState {
  readonly store: { readonly inbox: number; readonly items: Readonly<Record<string, number>> };
  readonly rss: number;
}

/** A whole runtime in a process of its own, and the platform it answers in this one. */
export interface BenchBot {
  readonly platform: Platform;
  readonly deliverer: Deliverer;
  readonly pid: number;
  state(): Promise<BotState>;
  close(): Promise<void>;
}

/** Starts a runtime that answers each message. */
export async function startBot(
  options: { readonly connections?: number; readonly preload?: string } = {},
): Promise<BenchBot> {
  const platform = await startPlatform(WEBHOOK);
  const child = startChild({
    file: fileURLToPath(new URL("./child-runtime.ts", import.meta.url)),
    args: [platform.url, WEBHOOK],
    env: options.preload === undefined ? {} : { LD_PRELOAD: options.preload },
  });
  const port = Number((await child.line()).split(":").at(-1));
  const sender = deliverer(port, options.connections ?? 64);
  return {
    platform,
    deliverer: sender,
    pid: child.pid,
    async state() {
      child.say("state");
      const state: BotState = JSON.parse(await child.line());
      return state;
    },
    async close() {
      sender.close();
      await child.kill();
      await platform.close();
    },
  };
}
