import type { Clock } from "../../../src/runtime/clock/clock.ts";
import type { Scheduler } from "../time/scheduler.ts";
import type { Owner, Task } from "../time/task-heap.ts";

interface Due {
  readonly at: number;
  readonly run: (at: number) => void;
  task: Task;
}

/** The platform's clock, which can be moved, and the tasks that are scheduled by its time. */
export class PlatformClock {
  readonly #scheduler: Scheduler;
  readonly #startAt: number;
  readonly #due = new Set<Due>();
  readonly #listeners = new Map<() => void, Owner | undefined>();
  #offset = 0;

  /** @param startAt Milliseconds since the epoch. */
  constructor(scheduler: Scheduler, startAt: number) {
    this.#scheduler = scheduler;
    this.#startAt = startAt;
  }

  now(): number {
    return Math.floor(this.#startAt + this.#scheduler.now + this.#offset);
  }

  /** Number of tasks that wait for their time. */
  get waiting(): number {
    return this.#due.size;
  }

  /** Schedules `run`. @param run Called with the task's due time if a jump made it due, else with the current time. */
  after(ms: number, run: (at: number) => void): void {
    const at = this.now() + ms;
    const due: Due = { at, run, task: this.#schedule(ms, () => this.#happen(due, this.now())) };
    this.#due.add(due);
  }

  /** Moves the clock by `ms`. The tasks that become due run at once, in order of their times. */
  jump(ms: number): void {
    this.#offset += ms;
    const now = this.now();
    for (const due of [...this.#due].sort((a, b) => a.at - b.at)) {
      due.task.dropped = true;
      if (due.at <= now) this.#happen(due, due.at);
      else due.task = this.#schedule(due.at - now, () => this.#happen(due, this.now()));
    }
    for (const [listener, owner] of this.#listeners) {
      this.#scheduler.after(1, owner, listener);
    }
  }

  #schedule(ms: number, run: () => void): Task {
    return this.#scheduler.after(ms, undefined, run);
  }

  #happen(due: Due, at: number): void {
    this.#due.delete(due);
    due.run(at);
  }

  /** Returns a view of this clock for one process. The listeners of the view are called when this clock jumps. */
  seenBy(owner: Owner): Clock {
    return {
      now: () => this.now(),
      onJump: (listener) => {
        this.#listeners.set(listener, owner);
        return () => void this.#listeners.delete(listener);
      },
    };
  }
}
