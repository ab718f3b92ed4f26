/** What is asked of a thread, and what is found out about it. */
export interface Watched {
  /** Jobs are under way: then it is asked often. */
  readonly isBusy: () => boolean;
  readonly ping: () => void;
  /** It has given no sign of life for half a second. */
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

const EVERY_MS = 100;
/** A thread without work is asked so much less often. */
const IDLE_TICKS = 20;
/** A thread that has been silent for so many ticks may be what makes the process grow. */
const SUSPECT_TICKS = 2;

/** A thread that has been silent for so many ticks takes time from others. */
const SLOW_TICKS = 5;

/**
 * Asks the thread for a sign of life again and again. Questions are counted, not time: after a machine's
 * sleep much time has passed in which the thread could not answer.
 *
 * A thread that allocates without giving itself a turn can't say what it takes, and its buffers count for
 * no limit of Node's: what the whole process has grown by since its last sign is taken for its own.
 */
export function watchThread(watched: Watched): Watch {
  let silent = 0;
  let ticks = 0;
  let before = process.memoryUsage.rss();

  const tick = (): void => {
    ticks += 1;
    if (silent === 0 && !watched.isBusy() && ticks % IDLE_TICKS !== 0) return;
    silent += 1;
    const silentMs = (silent - 1) * EVERY_MS;
    if (silent === SLOW_TICKS) watched.onSlow();
    if (silentMs > watched.stallMs) return watched.onStuck(silentMs);
    if (silent > SUSPECT_TICKS) {
      const grown = process.memoryUsage.rss() - before;
      if (grown > watched.memoryBytes) return watched.onHoarding(grown);
    }
    watched.ping();
  };
  const timer = setInterval(tick, EVERY_MS).unref();
  return {
    sign(bytes) {
      silent = 0;
      if (bytes === undefined) return;
      before = process.memoryUsage.rss();
      if (bytes > watched.memoryBytes) watched.onHoarding(bytes);
    },
    stop: () => clearInterval(timer),
  };
}
