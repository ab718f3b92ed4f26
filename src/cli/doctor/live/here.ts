import type { Listen } from "../../../config/settings.ts";
import { callRuntime } from "../../../runtime/control/call.ts";
import { openLog } from "../../../runtime/log.ts";
import { receiver } from "../../../runtime/webhook/receive.ts";
import { serveWebhook } from "../../../runtime/webhook/server.ts";

/** Where the webhook's public address is to lead, and what has come in there. */
export interface Here {
  /** Whether the bot itself listens. */
  readonly botRuns: boolean;
  /** Challenges that have come in so far. */
  challenges(): Promise<number>;
  close(): Promise<void>;
}

/** The bot that runs with a data folder. */
export function runningBot(folder: string): Here {
  return {
    botRuns: true,
    async challenges() {
      const status = await callRuntime(folder, "status", {});
      return status?.webhook.challenges ?? 0;
    },
    close: async () => {},
  };
}

export interface StandInNeeds {
  readonly listen: Listen;
  /** Public URL of the webhook. */
  readonly url: string;
  readonly consumerSecret: string;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Listens in the bot's place while it does not run: answers challenges, and has deliveries come again later.
 *
 * @throws {UsageError} when the address is taken.
 */
export async function standIn({ listen, url, consumerSecret }: StandInNeeds): Promise<Here> {
  let challenges = 0;
  const log = openLog({ level: "silent" });
  const receive = receiver({
    consumerSecret,
    maxBodyBytes: MAX_BODY_BYTES,
    log,
    onChallenge: () => void (challenges += 1),
    append: () => Promise.reject(new Error("the bot does not run")),
  });
  const server = await serveWebhook({
    ...listen,
    path: new URL(url).pathname,
    receive,
    log,
    missing: async () => [{ part: "bot", reason: "it does not run" }],
  });
  return {
    botRuns: false,
    challenges: async () => challenges,
    close: () => server.close(),
  };
}
