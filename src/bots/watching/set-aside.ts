import { setTimeout as pause } from "node:timers/promises";

/** Which bots are not called for a while, since they ended their thread again and again. */
export interface SetAside {
  /** A bot was the end of its thread. Gives how long it is set aside, in milliseconds; 0: not at all. */
  lost(bot: string): number;
  /** Milliseconds for which the bot is still set aside; 0: it may be called. */
  left(bot: string): number;
  /** It is another by now: what it was the end of is forgotten. */
  forgive(bot: string): void;
  /** Resolves once the bot may be called; rejects when `signal` is aborted first. */
  pass(bot: string, signal: AbortSignal): Promise<void>;
}

export interface SetAsideOptions {
  /** Losses within ten minutes that cost nothing but the events that caused them. */
  readonly free?: number;
  /** The first pause, in milliseconds; each further loss doubles it. */
  readonly firstMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const FREE = 2;
const FIRST_MS = 5_000;
const MOST_MS = 5 * 60_000;
/** A loss is forgotten after so long. */
const FORGOTTEN_MS = 10 * 60_000;

/** Nobody is set aside at first. */
export function setAside({
  free = FREE,
  firstMs = FIRST_MS,
  now = () => performance.now(),
}: SetAsideOptions = {}): SetAside {
  const losses = new Map<string, readonly number[]>();
  const until = new Map<string, number>();
  const left = (bot: string): number => Math.max(0, (until.get(bot) ?? 0) - now());

  return {
    lost(bot) {
      const at = now();
      const recent = [...(losses.get(bot) ?? []), at].filter((one) => one > at - FORGOTTEN_MS);
      losses.set(bot, recent);
      if (recent.length <= free) return 0;
      const ms = Math.min(MOST_MS, firstMs * 2 ** (recent.length - free - 1));
      until.set(bot, at + ms);
      return ms;
    },
    left,
    forgive(bot) {
      losses.delete(bot);
      until.delete(bot);
    },
    async pass(bot, signal) {
      for (let ms = left(bot); ms > 0; ms = left(bot)) {
        await pause(ms, undefined, { signal, ref: false });
      }
      signal.throwIfAborted();
    },
  };
}
