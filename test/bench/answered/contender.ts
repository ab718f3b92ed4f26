import { deliverer, type Deliverer } from "../answering/deliverer.ts";
import { startPlatform, type Platform } from "../answering/platform.ts";
import { startChild } from "../child.ts";
import type { Usage } from "./servers/usage.ts";

const WEBHOOK = "https://bot.example/webhook";
const CONNECTIONS = 64;

/** A bot in a separate process, and its platform in this process. */
export interface Contender {
  readonly platform: Platform;
  readonly deliverer: Deliverer;
  readonly usage: () => Promise<Usage>;
  close(): Promise<void>;
}

/** Starts a bot. @param file Path of its bundled program. */
export async function startContender(file: string): Promise<Contender> {
  const platform = await startPlatform(WEBHOOK);
  const child = startChild({ file, args: [platform.url, WEBHOOK] });
  const sender = deliverer(Number(await child.line()), CONNECTIONS);
  return {
    platform,
    deliverer: sender,
    async usage() {
      child.say("usage");
      const usage: Usage = JSON.parse(await child.line());
      return usage;
    },
    async close() {
      sender.close();
      await child.kill();
      await platform.close();
    },
  };
}
