/** The clock as the control interface tells it. `now` is ISO 8601 with milliseconds. */
export interface ClockState {
  readonly now: string;
  readonly frozen: boolean;
  readonly offset_ms: number;
}

/**
 * The sandbox's own time: the machine's plus an offset, or standing still.
 *
 * Nothing in the sandbox but socket timeouts reads another clock.
 */
export class Clock {
  readonly machine: () => number;
  #offset = 0;
  #still: number | undefined;

  /** @param machine Milliseconds since the Unix epoch. */
  constructor(machine: () => number) {
    this.machine = machine;
  }

  /** Milliseconds since the Unix epoch. */
  now(): number {
    return this.#still ?? this.machine() + this.#offset;
  }

  get frozen(): boolean {
    return this.#still !== undefined;
  }

  state(): ClockState {
    return {
      now: new Date(this.now()).toISOString(),
      frozen: this.frozen,
      offset_ms: this.now() - this.machine(),
    };
  }

  /** Makes it `at`, ticking on from there or standing still. */
  place(at: number, frozen: boolean): void {
    this.#offset = at - this.machine();
    this.#still = frozen ? at : undefined;
  }
}
