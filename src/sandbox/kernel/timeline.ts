import type { Clock, ClockState } from "./clock.ts";

interface Due {
  readonly at: number;
  readonly run: () => Promise<void>;
}

/** The longest wait a machine timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Work that falls due on the sandbox's clock, in order of time, then of planning.
 *
 * Moving the clock runs what falls due on the way before it answers, and waits for deliveries
 * and challenges that are under way.
 */
export class Timeline {
  readonly clock: Clock;
  readonly #onFault: (error: unknown) => void;
  #due: Due[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #running = new Set<Promise<void>>();
  #moves: Promise<unknown> = Promise.resolve();
  #moving = false;
  #closed = false;

  /** @param onFault Told of work that threw; the timeline goes on. */
  constructor(clock: Clock, onFault: (error: unknown) => void) {
    this.clock = clock;
    this.#onFault = onFault;
  }

  now(): number {
    return this.clock.now();
  }

  /** Runs `run` when the clock reaches `at`; gives a function that takes it off again. */
  at(at: number, run: () => Promise<void>): () => void {
    const due = { at, run };
    let place = this.#due.length;
    while (place > 0 && (this.#due[place - 1]?.at ?? 0) > at) place -= 1;
    this.#due.splice(place, 0, due);
    this.#arm();
    return () => {
      this.#due = this.#due.filter((one) => one !== due);
    };
  }

  /** Counts `work` as under way, so that moving the clock waits for it. */
  track(work: Promise<void>): void {
    const watched: Promise<void> = work
      .catch((error: unknown) => this.#onFault(error))
      .finally(() => this.#running.delete(watched));
    this.#running.add(watched);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    // Work that ends starts the next in its lane a moment later, or plans a retry.
    do {
      await Promise.all(this.#running);
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#running.size > 0);
  }

  /** Moves the clock by `ms`, or to `set`; back is allowed and runs nothing. */
  move(to: { advance: number } | { set: number } | { frozen: boolean }): Promise<ClockState> {
    const next = this.#moves.then(() => this.#move(to));
    this.#moves = next.catch(this.#onFault);
    return next;
  }

  /** Forgets all due work, as a reset does. */
  clear(): void {
    this.#due = [];
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.clear();
  }

  async #move(
    to: { advance: number } | { set: number } | { frozen: boolean },
  ): Promise<ClockState> {
    const { frozen } = this.clock;
    if ("frozen" in to) {
      this.clock.place(this.clock.now(), to.frozen);
      this.#arm();
      return this.clock.state();
    }
    const from = this.clock.now();
    const target = "set" in to ? to.set : from + to.advance;
    if (target < from) this.#shift(target - from);
    this.#moving = true;
    try {
      await this.#runUntil(target);
    } finally {
      this.#moving = false;
      this.clock.place(target, frozen);
      this.#arm();
    }
    return this.clock.state();
  }

  async #runUntil(target: number): Promise<void> {
    await this.idle();
    for (;;) {
      const next = this.#due[0];
      if (next === undefined || next.at > target) return;
      this.#due.shift();
      this.clock.place(Math.max(next.at, this.clock.now()), true);
      this.track(next.run());
      await this.idle();
    }
  }

  /** A clock set back keeps the distance to what was planned. */
  #shift(by: number): void {
    this.#due = this.#due.map((due) => ({ ...due, at: due.at + by }));
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#due[0];
    if (next === undefined || this.clock.frozen || this.#moving || this.#closed) return;
    const wait = Math.min(Math.max(0, next.at - this.clock.now()), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#fire(), wait);
    this.#timer.unref();
  }

  #fire(): void {
    if (this.#moving || this.clock.frozen) return;
    const now = this.clock.now();
    for (let next = this.#due[0]; next !== undefined && next.at <= now; next = this.#due[0]) {
      this.#due.shift();
      this.track(next.run());
    }
    this.#arm();
  }
}
