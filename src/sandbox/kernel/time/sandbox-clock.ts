/** The clock as the control interface returns it. `now` is ISO 8601 with milliseconds. */
export interface ClockState {
  readonly now: string;
  readonly frozen: boolean;
  readonly offset_ms: number;
}

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
    };
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
