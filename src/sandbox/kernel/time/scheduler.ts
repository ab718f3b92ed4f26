import type { SandboxClock, ClockState } from "./sandbox-clock.ts";

interface ScheduledTask {
  readonly at: number;
  readonly run: () => Promise<void>;
  /** Whether advancing the clock pauses at the time `at` and runs this task before it goes on. */
  readonly stops: boolean;
}

/** Real milliseconds for which a signed request may still carry a time that the clock has jumped over. */
const PASSED_FOR_MS = 30_000;

/** Minimum distance of two recorded times. Closer times need no record: a signature's time may be minutes off. */
const PASSED_APART_MS = 60_000;
const MAX_PASSED = 1_000;

/** Longest delay of a timer in Node, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs work when its time comes on the sandbox's clock. Work for the same time runs in the order of scheduling.
 *
 * A move of the clock runs all work that is due up to the new time, and waits for the deliveries and challenges in
 * progress.
 */
export class Scheduler {
  readonly clock: SandboxClock;
  readonly #onError: (error: unknown) => void;
  readonly #onMoment: () => Promise<void>;
  #passed: { readonly at: number; readonly until: number }[] = [];
  #tasks: ScheduledTask[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #running = new Set<Promise<void>>();
  #moves: Promise<unknown> = Promise.resolve();
  #moving = false;
  /** Whether the clock was frozen before the move in progress, which freezes it for its duration. */
  #stoodStill = false;
  #closed = false;

  /**
   * @param onError Called with the error of failed work; the scheduler continues.
   * @param onMoment Called at each time at which a move of the clock stops to run due work. The move waits for the
   * promise.
   */
  constructor(
    clock: SandboxClock,
    onError: (error: unknown) => void,
    onMoment: () => Promise<void> = async () => undefined,
  ) {
    this.clock = clock;
    this.#onError = onError;
    this.#onMoment = onMoment;
  }

  /** Returns recent times that the clock has jumped over. A request that was signed at such a time may still arrive. */
  passed(): number[] {
    const now = performance.now();
    this.#passed = this.#passed.filter(({ until }) => until > now);
    return this.#passed.map(({ at }) => at);
  }

  now(): number {
    return this.clock.now();
  }

  /** Returns the clock's state as it was before a move in progress froze the clock. */
  state(): ClockState {
    const state = this.clock.state();
    return this.#moving ? { ...state, frozen: this.#stoodStill } : state;
  }

  /** Time at which the next move of the clock would stop to run work, in milliseconds since the Unix epoch. */
  nextAt(): number | undefined {
    return this.#tasks.find(({ stops }) => stops)?.at;
  }

  /** Schedules `run` for the time `at`, in milliseconds since the Unix epoch; returns a function that cancels `run`. */
  at(at: number, run: () => Promise<void>): () => void {
    return this.#schedule({ at, run, stops: true });
  }

  /**
   * Schedules keep-alive work, at which a move of the clock does not stop: if the clock is moved past the time of the
   * work, the work runs after the move.
   */
  atRest(at: number, run: () => Promise<void>): () => void {
    return this.#schedule({ at, run, stops: false });
  }

  #schedule(task: ScheduledTask): () => void {
    const { at } = task;
    let position = this.#tasks.length;
    while (position > 0 && (this.#tasks[position - 1]?.at ?? 0) > at) position -= 1;
    this.#tasks.splice(position, 0, task);
    this.#setTimer();
    return () => {
      this.#tasks = this.#tasks.filter((one) => one !== task);
    };
  }

  /** Registers `work` as in progress, so that a move of the clock waits for it. */
  track(work: Promise<void>): void {
    const watched: Promise<void> = work
      .catch((error: unknown) => this.#onError(error))
      .finally(() => this.#running.delete(watched));
    this.#running.add(watched);
  }

  /** Resolves when no work is in progress. */
  async idle(): Promise<void> {
    // Finished work may start further work in the next event-loop turn: the next delivery of its lane, or a retry.
    do {
      await Promise.all(this.#running);
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#running.size > 0);
  }

  /** Advances, sets, freezes or unfreezes the clock. Setting it back is allowed and runs no work. */
  move(to: { advance: number } | { set: number } | { frozen: boolean }): Promise<ClockState> {
    const next = this.#moves.then(() => this.#move(to));
    this.#moves = next.catch(this.#onError);
    return next;
  }

  /** Drops all scheduled work, as a reset does. */
  clear(): void {
    this.#tasks = [];
    this.#setTimer();
  }

  close(): void {
    this.#closed = true;
    this.clear();
  }

  async #move(
    to: { advance: number } | { set: number } | { frozen: boolean },
  ): Promise<ClockState> {
    const { frozen, offset } = this.clock;
    if ("frozen" in to) {
      this.clock.set(this.clock.now(), to.frozen);
      this.#setTimer();
      return this.clock.state();
    }
    const from = this.clock.now();
    const target = "set" in to ? to.set : from + to.advance;
    if (target < from) {
      this.clock.setBack(from, target);
      this.#shift(target - from);
    }
    this.#remember(from);
    this.#moving = true;
    this.#stoodStill = frozen;
    try {
      await this.#runUntil(target, "advance" in to && !frozen);
    } finally {
      this.#moving = false;
      // A clock that was ticking also counts the real time that the due work took.
      if ("advance" in to && !frozen) this.clock.tick(offset + to.advance);
      else this.clock.set(target, frozen);
      this.#runDue();
    }
    return this.clock.state();
  }

  /** Runs the work due up to `target`. A ticking clock ticks on between stops, so that no client gets ahead of it. */
  async #runUntil(target: number, ticking: boolean): Promise<void> {
    await this.idle();
    for (;;) {
      const place = this.#tasks.findIndex(({ stops }) => stops);
      const next = this.#tasks[place];
      if (next === undefined || next.at > target) return;
      this.#tasks.splice(place, 1);
      const now = this.clock.now();
      this.clock.set(Math.max(next.at, now), !ticking);
      if (next.at > now) {
        this.#remember(next.at);
        await this.#onMoment();
      }
      this.track(next.run());
      await this.idle();
    }
  }

  #remember(at: number): void {
    const last = this.#passed.at(-1);
    if (last !== undefined && Math.abs(last.at - at) < PASSED_APART_MS) return;
    this.#passed.push({ at, until: performance.now() + PASSED_FOR_MS });
    if (this.#passed.length > MAX_PASSED) this.#passed.shift();
  }

  /** Moves the tasks by the time that the clock is set back, so that each stays the same time ahead of the clock. */
  #shift(by: number): void {
    this.#tasks = this.#tasks.map((task) => ({ ...task, at: task.at + by }));
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    const next = this.#tasks[0];
    if (next === undefined || this.clock.frozen || this.#moving || this.#closed) return;
    const wait = Math.min(Math.max(0, next.at - this.clock.now()), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#fire(), wait);
    this.#timer.unref();
  }

  #fire(): void {
    if (!this.#moving && !this.clock.frozen) this.#runDue();
  }

  #runDue(): void {
    const now = this.clock.now();
    for (let next = this.#tasks[0]; next !== undefined && next.at <= now; next = this.#tasks[0]) {
      this.#tasks.shift();
      this.track(next.run());
    }
    this.#setTimer();
  }
}
