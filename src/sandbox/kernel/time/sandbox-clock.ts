/** The clock as the control interface returns it. `now` is ISO 8601 with milliseconds. */
export interface ClockState {
  readonly now: string;
  readonly frozen: boolean;
  readonly offset_ms: number;
  /** Recent occasions on which the clock was set back, oldest first. */
  readonly set_backs: readonly ClockSetBack[];
}

/** An occasion on which the clock was set back. After it, the clock shows the times from `to` up to `from` again. */
export interface ClockSetBack {
  /** Consecutive number of the set-back, from 1. */
  readonly n: number;
  /** Time that the clock showed before. ISO 8601 with milliseconds, as is `to`. */
  readonly from: string;
  readonly to: string;
}

/** Maximum number of stored set-backs: far more than happen between two reads of the clock by a client. */
const SET_BACKS_KEPT = 100;

/**
 * The sandbox's own time: the machine's time plus an offset, or a frozen time.
 *
 * Timeouts of connections use real time instead.
 */
export class SandboxClock {
  readonly machine: () => number;
  readonly #changed: () => void;
  #offset = 0;
  #frozenAt: number | undefined;
  #setBacks: readonly ClockSetBack[] = [];

  /**
   * @param machine Returns the machine's time in milliseconds since the Unix epoch.
   * @param changed Called after the clock was set, not as it ticks.
   */
  constructor(machine: () => number, changed: () => void = () => undefined) {
    this.machine = machine;
    this.#changed = changed;
  }

  /** Returns milliseconds since the Unix epoch. */
  now(): number {
    return this.#frozenAt ?? this.machine() + this.#offset;
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** Milliseconds by which the clock is ahead of the machine's clock. */
  get offset(): number {
    return this.#frozenAt === undefined ? this.#offset : this.#frozenAt - this.machine();
  }

  state(): ClockState {
    return {
      now: new Date(this.now()).toISOString(),
      frozen: this.frozen,
      offset_ms: this.offset,
      set_backs: this.#setBacks,
    };
  }

  /** Records that the clock is set back from the time `from` to the earlier time `to`, in Unix milliseconds. */
  setBack(from: number, to: number): void {
    const n = (this.#setBacks.at(-1)?.n ?? 0) + 1;
    const one = { n, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    this.#setBacks = [...this.#setBacks, one].slice(-SET_BACKS_KEPT);
  }

  /** Restores the set-backs of a saved world, unless this clock has already recorded more of them. */
  resume(setBacks: readonly ClockSetBack[]): void {
    const count = (all: readonly ClockSetBack[]): number => all.at(-1)?.n ?? 0;
    if (count(setBacks) > count(this.#setBacks)) this.#setBacks = setBacks;
  }

  /** Sets the clock to `at`, from which it then ticks on unless `frozen` is true. */
  set(at: number, frozen: boolean): void {
    this.#offset = at - this.machine();
    this.#frozenAt = frozen ? at : undefined;
    this.#changed();
  }

  /** Lets the clock tick, `offset` milliseconds ahead of the machine. */
  tick(offset: number): void {
    this.#offset = offset;
    this.#frozenAt = undefined;
    this.#changed();
  }
}
