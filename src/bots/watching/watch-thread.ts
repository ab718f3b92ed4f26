import { OwnTime } from "./own-time.ts";
import type { ThreadUsage } from "./thread-usage.ts";
import { inRealTime, TICK_MS as EVERY_MS, type Ticking } from "./ticking.ts";

/** Functions and limits for watching a thread. */
export interface Watched {
  /** Whether the thread is running jobs. It is then pinged more often. */
  readonly isBusy: () => boolean;
  readonly ping: () => void;
  /** Returns the processor usage of the thread; undefined if unknown. */
  readonly usage: () => ThreadUsage | undefined;
  /** Called when the thread has not answered a ping, although it could have run for {@link SLOW_MS}. */
  readonly onSlow: () => void;
  /** Called when the thread is stuck, with the time since the first unanswered ping in milliseconds. */
  readonly onStuck: (silentMs: number) => void;
  /** Called when the thread exceeds its memory limit, with the bytes that it uses. */
  readonly onHoarding: (bytes: number) => void;
  /** Returns the time in milliseconds without an answer after which a thread counts as stuck. */
  readonly stallMs: () => number;
  /** Memory limit for the thread's objects and buffers, in bytes. */
  readonly memoryBytes: number;
}

/** Handle for a thread that is being watched. */
export interface Watch {
  /** Records a message from the thread. `bytes` is its memory use, if the message reports it. */
  sign(bytes?: number): void;
  stop(): void;
}

/** Number of ticks between two pings of an idle thread. */
const IDLE_TICKS = 20;
/** Number of ticks without an answer after which the growth of the process's memory is attributed to the thread. */
const SUSPECT_TICKS = 2;
/** Time in milliseconds without an answer after which a thread is assumed to slow down other threads. */
const SLOW_MS = 400;
/** A thread is stuck only if it could have run for at least this fraction of the time since its unanswered ping. */
const MIN_ANSWER_SHARE = 0.25;

/**
 * Pings a thread, and reports if it does not answer. Time is measured in ticks, because a thread can't answer while the
 * machine sleeps.
 *
 * A thread also can't answer while other threads have the processor. If the system reports usage, a thread counts as
 * stuck only if it had the processor for some of the time, or was waiting for something.
 *
 * A thread that allocates memory without a pause can't report its memory use, and no limit of Node covers its buffers.
 * The growth of the whole process since the thread's last answer is therefore attributed to it.
 */
export function watchThread(watched: Watched, ticking: Ticking = inRealTime): Watch {
  let silence: Silence | undefined;
  let ticks = 0;
  let before = process.memoryUsage.rss();

  const tick = (): void => {
    ticks += 1;
    if (silence === undefined) {
      if (!watched.isBusy() && ticks % IDLE_TICKS !== 0) return;
      silence = new Silence(watched.usage);
      watched.ping();
      return;
    }
    silence.tick();
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

/** Measures the time since the first ping that a thread has not answered. */
class Silence extends OwnTime {
  #isSlow = false;

  /** Returns true once, when the thread could have answered for {@link SLOW_MS}. */
  becomesSlow(): boolean {
    if (this.#isSlow || this.ownMs < SLOW_MS) return false;
    this.#isSlow = true;
    return true;
  }

  isStuck(stallMs: number): boolean {
    return this.ticks * EVERY_MS > stallMs && this.ownMs > stallMs * MIN_ANSWER_SHARE;
  }
}
