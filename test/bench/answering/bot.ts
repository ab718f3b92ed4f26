import { fileURLToPath } from "node:url";
import { startChild } from "../child.ts";
import { deliverer, type Deliverer } from "./deliverer.ts";
import { startPlatform, type Platform } from "./platform.ts";

const WEBHOOK = "https://bot.example/webhook";

/** State that the benchmark's runtime reports about itself. */
export interface BotState {
  readonly store: {
    readonly inbox: number;
    readonly items: Readonly<Record<string, number>>;
    readonly oldestArrivedAt?: number;
  };
  readonly rss: number;
}

/** A whole runtime in a separate process, with its platform in this process. */
export interface BenchBot {
  readonly platform: Platform;
  readonly deliverer: Deliverer;
  /** Processor time of the runtime so far, in milliseconds. */
  readonly cpuMs: () => number;
  state(): Promise<BotState>;
  close(): Promise<void>;
}

export interface BotOptions {
  /** Path of a library that is loaded before any other. */
  readonly preload?: string;
  /** Word that a message must contain to be answered. Default: a word that every message contains. */
  readonly word?: string;
}

const CONNECTIONS = 64;

/** Starts a runtime that answers messages. */
export async function startBot(options: BotOptions = {}): Promise<BenchBot> {
  const platform = await startPlatform(WEBHOOK);
  const child = startChild({
    file: fileURLToPath(new URL("./child-runtime.ts", import.meta.url)),
    args: [platform.url, WEBHOOK, options.word ?? "open"],
    env: options.preload === undefined ? {} : { LD_PRELOAD: options.preload },
  });
  const port = Number((await child.line()).split(":").at(-1));
  const sender = deliverer(port, CONNECTIONS);
  return {
    platform,
    deliverer: sender,
    cpuMs: () => child.cpuMs(),
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
