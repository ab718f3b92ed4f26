import type { Listen } from "../../../config/settings.ts";
import { callRuntime } from "../../../runtime/calls.ts";
import { receiver, serveWebhook } from "../../../runtime/delivery.ts";
import { openLog } from "../../../runtime/log.ts";

/** Receiver behind the webhook's public address, and the challenges that have arrived. */
export interface Here {
  /** Whether the bot itself is the receiver. */
  readonly botRuns: boolean;
  /** Number of challenges received so far. */
  challenges(): Promise<number>;
  close(): Promise<void>;
}

/** Describes the bot that runs on a data folder as the receiver. */
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
 * Receives in place of a stopped bot: answers challenges, and refuses deliveries so that the platform retries them.
 *
 * @throws {UsageError} if the address can't be used.
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
