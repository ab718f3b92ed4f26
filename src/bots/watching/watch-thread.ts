import type { ThreadUsage } from "./thread-usage.ts";
import { inRealTime, TICK_MS as EVERY_MS, type Ticking } from "./ticking.ts";

/** What is asked of a thread, and what is found out about it. */
export interface Watched {
  /** Jobs are under way: then it is asked often. */
  readonly isBusy: () => boolean;
  readonly ping: () => void;
  /** What it does with the processor; undefined where nobody can tell. */
  readonly usage: () => ThreadUsage | undefined;
  /** It has given no sign of life for half a second in which it could have. */
  readonly onSlow: () => void;
  /** It has given no sign of life for so long. */
  readonly onStuck: (silentMs: number) => void;
  /** It takes so much memory, in bytes. */
  readonly onHoarding: (bytes: number) => void;
  /** A thread that is silent for so long is stuck. Milliseconds. */
  readonly stallMs: number;
  /** What it may take: objects and buffers. Bytes. */
  readonly memoryBytes: number;
}

/** Watches one thread until it is stopped. */
export interface Watch {
  /** The thread said something; with what its memory comes to where it said that. */
  sign(bytes?: number): void;
  stop(): void;
}

/** A thread without work is asked so much less often. */
const IDLE_TICKS = 20;
/** A thread that has been silent for so many ticks may be what makes the process grow. */
const SUSPECT_TICKS = 2;
/** A thread that has been silent for so long takes time from others. Milliseconds. */
const SLOW_MS = 400;
/** It could have answered in this much of the time for which it may be silent: one that could not is given more. */
const LEAST_SHARE = 0.25;

/**
 * Asks the thread for a sign of life again and again. Questions are counted, not time: after a machine's
 * sleep much time has passed in which the thread could not answer.
 *
 * Neither can it while others have the processor: where the system tells, a thread is only stuck once it had
 * it for a while, or waited for something else.
 *
 * A thread that allocates without giving itself a turn can't say what it takes, and its buffers count for
 * no limit of Node's: what the whole process has grown by since its last sign is taken for its own.
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
    if (silence.isStuck(watched.stallMs)) return watched.onStuck(silence.ticks * EVERY_MS);
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

/** How long a thread has said nothing, since it was asked first. */
class Silence {
  ticks = 0;
  /** How much of that it could have answered in. Milliseconds. */
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

  /** True once. */
  becomesSlow(): boolean {
    if (this.#isSlow || this.#own < SLOW_MS) return false;
    this.#isSlow = true;
    return true;
  }

  isStuck(stallMs: number): boolean {
    return this.ticks * EVERY_MS > stallMs && this.#own > stallMs * LEAST_SHARE;
  }
}

/** How much of the last tick a thread could have answered in: less where it only waited for the processor. */
function ownTime(before: ThreadUsage | undefined, now: ThreadUsage | undefined): number {
  if (before === undefined || now === undefined || !now.isRunnable) return EVERY_MS;
  // a tick of this thread that comes late is still one tick
  return Math.min(EVERY_MS, now.cpuMs - before.cpuMs);
}
