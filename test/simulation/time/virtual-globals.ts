import type { Draws } from "./draws.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Owner, Task } from "./task-heap.ts";

export interface VirtualGlobals {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  /** The machine's time at the beginning, in milliseconds since the epoch. */
  readonly startAt: number;
}

/**
 * Replaces the machine's time by the scheduler's: timers, `Date`, `performance.now` and `Math.random`. A timer belongs
 * to the owner whose code sets it, and is dropped when that owner crashes.
 *
 * @returns a function that restores the globals.
 */
export function installVirtualGlobals({ scheduler, draws, startAt }: VirtualGlobals): () => void {
  // A real timer always fires a little late.
  const timer = (run: () => void, ms: number): VirtualTimer =>
    new VirtualTimer(scheduler, run, Math.max(1, ms) + draws.unit());
  const clear = (timeout: unknown): void => {
    if (timeout instanceof VirtualTimer) timeout.close();
  };
  const now = (): number => Math.floor(startAt + scheduler.now);
  const values: readonly (readonly [object, string, unknown])[] = [
    [
      globalThis,
      "setTimeout",
      (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        timer(() => run(...args), ms),
    ],
    [globalThis, "clearTimeout", clear],
    [
      globalThis,
      "setInterval",
      (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
        const repeated = timer(() => {
          repeated.refresh();
          run(...args);
        }, ms);
        return repeated;
      },
    ],
    [globalThis, "clearInterval", clear],
    [
      globalThis,
      "setImmediate",
      (run: (...args: unknown[]) => void, ...args: unknown[]) =>
        new VirtualTimer(scheduler, () => run(...args), 0),
    ],
    [globalThis, "clearImmediate", clear],
    [globalThis, "Date", virtualDate(now)],
    [performance, "now", () => scheduler.now],
    [Math, "random", () => draws.unit()],
  ];
  const before = values.map(([on, name]) => Object.getOwnPropertyDescriptor(on, name));
  for (const [on, name, value] of values) {
    Object.defineProperty(on, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [place, [on, name]] of values.entries()) {
      const descriptor = before[place];
      if (descriptor === undefined) Reflect.deleteProperty(on, name);
      else Object.defineProperty(on, name, descriptor);
    }
  };
}

function virtualDate(now: () => number): DateConstructor {
  return new Proxy(Date, {
    construct: (target, args: unknown[]) =>
      args.length === 0 ? new target(now()) : Reflect.construct(target, args),
    get: (target, name): unknown => (name === "now" ? now : Reflect.get(target, name)),
  });
}

/** Return value of `setTimeout`. */
class VirtualTimer {
  readonly #scheduler: Scheduler;
  readonly #run: () => void;
  readonly #ms: number;
  readonly #owner: Owner | undefined;
  #task: Task;

  constructor(scheduler: Scheduler, run: () => void, ms: number) {
    this.#scheduler = scheduler;
    this.#run = run;
    this.#ms = ms;
    this.#owner = scheduler.current;
    this.#task = scheduler.after(ms, this.#owner, run);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.close();
    this.#task = this.#scheduler.after(this.#ms, this.#owner, this.#run);
    return this;
  }

  close(): void {
    this.#task.dropped = true;
  }
}
