/** The clock as the control interface returns it. `now` is ISO 8601 with milliseconds. */
export interface ClockState {
  readonly now: string;
  readonly frozen: boolean;
  readonly offset_ms: number;
  /** When it was set back lately, oldest first. */
  readonly set_backs: readonly ClockSetBack[];
}

/** The clock was set back: it shows the time from `to` up to `from` once more. */
export interface ClockSetBack {
  /** Counts from 1, over all of the world's. */
  readonly n: number;
  /** What it showed. ISO 8601 with milliseconds, as is `to`. */
  readonly from: string;
  readonly to: string;
}

/** Nobody who follows the clock is away for more of them. */
const SET_BACKS_KEPT = 100;

/**
 * The sandbox's own time: the machine's plus an offset, or frozen.
 *
 * Nothing in the sandbox but socket timeouts reads another clock.
 */
export class SandboxClock {
  readonly machine: () => number;
  readonly #changed: () => void;
  #offset = 0;
  #frozenAt: number | undefined;
  #setBacks: readonly ClockSetBack[] = [];

  /**
   * @param machine Milliseconds since the Unix epoch.
   * @param changed Called after it was set, not as it ticks.
   */
  constructor(machine: () => number, changed: () => void = () => undefined) {
    this.machine = machine;
    this.#changed = changed;
  }

  /** Milliseconds since the Unix epoch. */
  now(): number {
    return this.#frozenAt ?? this.machine() + this.#offset;
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** Milliseconds that it is ahead of the machine. */
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

  /** Remembers that it is about to be set back. */
  setBack(from: number, to: number): void {
    const n = (this.#setBacks.at(-1)?.n ?? 0) + 1;
    const one = { n, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    this.#setBacks = [...this.#setBacks, one].slice(-SET_BACKS_KEPT);
  }

  /** Goes on with what was remembered, or with what it remembers itself where that is more. */
  resume(setBacks: readonly ClockSetBack[]): void {
    const count = (all: readonly ClockSetBack[]): number => all.at(-1)?.n ?? 0;
    if (count(setBacks) > count(this.#setBacks)) this.#setBacks = setBacks;
  }

  /** Makes it `at`, ticking on from there or frozen. */
  set(at: number, frozen: boolean): void {
    this.#offset = at - this.machine();
    this.#frozenAt = frozen ? at : undefined;
    this.#changed();
  }

  /** Lets it tick, `offset` milliseconds ahead of the machine. */
  tick(offset: number): void {
    this.#offset = offset;
    this.#frozenAt = undefined;
    this.#changed();
  }
}
