import type { ThreadUsage } from "./thread-usage.ts";
import { TICK_MS } from "./ticking.ts";

/** Counts the time in which a thread could have run. Time in which it waited for the processor does not count. */
export class OwnTime {
  /** Number of ticks since the start. */
  ticks = 0;
  /** Milliseconds in which the thread could have run. */
  ownMs = 0;
  readonly #read: () => ThreadUsage | undefined;
  #usage: ThreadUsage | undefined;

  /** @param read Returns the processor usage of the thread; undefined if the system does not report it. */
  constructor(read: () => ThreadUsage | undefined) {
    this.#read = read;
    this.#usage = read();
  }

  tick(): void {
    const before = this.#usage;
    this.#usage = this.#read();
    this.ticks += 1;
    this.ownMs += ownTime(before, this.#usage);
  }
}

function ownTime(before: ThreadUsage | undefined, now: ThreadUsage | undefined): number {
  if (before === undefined || now === undefined || !now.isRunnable) return TICK_MS;
  // after a late tick, the processor time may exceed the length of a tick
  return Math.min(TICK_MS, now.cpuMs - before.cpuMs);
}
