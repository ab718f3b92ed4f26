import type { ThreadUsage } from "./thread-usage.ts";
import { inRealTime, TICK_MS as EVERY_MS, type Ticking } from "./ticking.ts";

/** Probes, limits and callbacks of a watched thread. */
export interface Watched {
  /** Whether jobs are running; then the thread is pinged more often. */
  readonly isBusy: () => boolean;
  readonly ping: () => void;
  /** Processor usage of the thread; undefined if unknown. */
  readonly usage: () => ThreadUsage | undefined;
  /** Called when the thread has been silent for {@link SLOW_MS} in which it could have answered. */
  readonly onSlow: () => void;
  /** Called when the thread is stuck, with the duration of its silence. */
  readonly onStuck: (silentMs: number) => void;
  /** Called when the thread exceeds its memory limit, with its memory in bytes. */
  readonly onHoarding: (bytes: number) => void;
  /** Returns the silence after which a thread is stuck. Milliseconds. */
  readonly stallMs: () => number;
  /** Memory limit of objects and buffers. Bytes. */
  readonly memoryBytes: number;
}

/** Watches a thread until stopped. */
export interface Watch {
  /** Heartbeat of the thread, with its memory use in bytes if it reported one. */
  sign(bytes?: number): void;
  stop(): void;
}

/** Ticks between pings of an idle thread. */
const IDLE_TICKS = 20;
/** Silent ticks after which the process's growth is attributed to the thread. */
const SUSPECT_TICKS = 2;
/** Silence after which a thread is taken to slow down others. Milliseconds. */
const SLOW_MS = 400;
/** Minimum share of a silence in which the thread could have answered. Below it, the thread gets more time. */
const MIN_ANSWER_SHARE = 0.25;

/**
 * Pings the thread for heartbeats. The measure is the number of ticks instead of elapsed time: while the machine
 * sleeps, time passes in which the thread can't answer.
 *
 * A thread can't answer either while others have the processor. If the system reports usage, a thread is stuck only if
 * it had the processor for a while, or waited for something else.
 *
 * A thread that allocates synchronously can't report its memory, and no limit of Node covers its buffers. The growth of
 * the whole process since its last heartbeat is therefore attributed to it.
 */
export function watchThread(watched: Watched, ticking: Ticking = inRealTime): Watch {
  let silence: Silence | undefined;
  let ticks = 0;
  let before = process.memoryUsage.rss();

  const tick = (): void => {
    ticks += 1;
    if (silence === undefined) {
      if (!watched.isBusy() && ticks % IDLE_TICKS !== 0) return;
      silence = new Silence(watched.usage());
      watched.ping();
      return;
    }
    silence.goOn(watched.usage());
    if (silence.becomesSlow()) watched.onSlow();
    if (silence.isStuck(watched.stallMs())) return watched.onStuck(silence.ticks * EVERY_MS);
    if (silence.ticks >= SUSPECT_TICKS) {
      const grown = process.memoryUsage.rss() - before;
      if (grown > watched.memoryBytes) return watched.onHoarding(grown);
    }
    watched.ping();
  };
  const stop = ticking(tick);
  return {
    sign(bytes) {
      silence = undefined;
      if (bytes === undefined) return;
      before = process.memoryUsage.rss();
      if (bytes > watched.memoryBytes) watched.onHoarding(bytes);
    },
    stop,
  };
}

/** Silence of a thread since the first unanswered ping. */
class Silence {
  ticks = 0;
  /** Part of the silence in which the thread could have answered. Milliseconds. */
  #own = 0;
  #isSlow = false;
  #usage: ThreadUsage | undefined;

  constructor(usage: ThreadUsage | undefined) {
    this.#usage = usage;
  }

  goOn(usage: ThreadUsage | undefined): void {
    this.ticks += 1;
    this.#own += ownTime(this.#usage, usage);
    this.#usage = usage;
  }

  /** Returns true once, when the silence reaches {@link SLOW_MS}. */
  becomesSlow(): boolean {
    if (this.#isSlow || this.#own < SLOW_MS) return false;
    this.#isSlow = true;
    return true;
  }

  isStuck(stallMs: number): boolean {
    return this.ticks * EVERY_MS > stallMs && this.#own > stallMs * MIN_ANSWER_SHARE;
  }
}

/** Part of the last tick in which the thread could have answered; waiting for the processor does not count. */
function ownTime(before: ThreadUsage | undefined, now: ThreadUsage | undefined): number {
  if (before === undefined || now === undefined || !now.isRunnable) return EVERY_MS;
  // several heartbeats that arrive late together count as one
  return Math.min(EVERY_MS, now.cpuMs - before.cpuMs);
}
