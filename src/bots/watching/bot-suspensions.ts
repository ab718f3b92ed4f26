import { endingWith } from "../../system/ending.ts";
import { pause } from "../../system/time/pause.ts";

/** Suspends bots that repeatedly end their thread. */
export interface BotSuspensions {
  /**
   * Records that a bot has ended its thread. Returns the length of its suspension in milliseconds; 0 if it is not
   * suspended.
   */
  lost(bot: string): number;
  /** Returns the bot's remaining suspension in milliseconds; 0 if it may be called. */
  remainingMs(bot: string): number;
  /**
   * Ends the bot's suspension, also for calls that wait for its end, and deletes its lost threads from the count. Called
   * when the bot has been reloaded.
   */
  forgive(bot: string): void;
  /** Resolves when the bot may be called; rejects if `signal` aborts first. */
  pass(bot: string, signal: AbortSignal): Promise<void>;
}

export interface SuspensionOptions {
  /** Number of lost threads within ten minutes that a bot may cause without being suspended. */
  readonly free?: number;
  /** Length of the first suspension in milliseconds. It doubles with each further lost thread. */
  readonly firstMs?: number;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const FREE = 2;
const FIRST_MS = 5_000;
const MAX_SUSPENSION_MS = 5 * 60_000;
/** Time in milliseconds after which a lost thread no longer counts. */
const FORGOTTEN_MS = 10 * 60_000;

/** Creates the record of suspensions, with no bot suspended. */
export function botSuspensions({
  free = FREE,
  firstMs = FIRST_MS,
  now = () => performance.now(),
}: SuspensionOptions = {}): BotSuspensions {
  const losses = new Map<string, readonly number[]>();
  const until = new Map<string, number>();
  /** Functions that end the waits for a bot. */
  const waits = new Map<string, Set<() => void>>();
  const remainingMs = (bot: string): number => Math.max(0, (until.get(bot) ?? 0) - now());

  return {
    lost(bot) {
      const at = now();
      const recent = [...(losses.get(bot) ?? []), at].filter((one) => one > at - FORGOTTEN_MS);
      losses.set(bot, recent);
      if (recent.length <= free) return 0;
      const ms = Math.min(MAX_SUSPENSION_MS, firstMs * 2 ** (recent.length - free - 1));
      until.set(bot, at + ms);
      return ms;
    },
    remainingMs,
    forgive(bot) {
      losses.delete(bot);
      until.delete(bot);
      for (const end of waits.get(bot) ?? []) end();
    },
    async pass(bot, signal) {
      while (remainingMs(bot) > 0 && !signal.aborted) {
        const wait = endingWith([signal]);
        const ofBot = waits.get(bot) ?? new Set();
        const end = (): void => wait.end();
        waits.set(bot, ofBot.add(end));
        await pause(remainingMs(bot), wait.signal);
        ofBot.delete(end);
        wait.release();
      }
      signal.throwIfAborted();
    },
  };
}
