import { type Owner, type Task, TaskHeap } from "./task-heap.ts";

/** Called before each task of a bot, which may crash or be suspended at this point. */
export type BeforeTask = (task: Task) => void;

/**
 * Runs everything in a simulation: each timer and each answer from outside is a task, and after each task the woken
 * code runs until it waits again. The seed determines the order of the tasks, and thereby the whole simulation.
 */
export class Scheduler {
  readonly #tasks = new TaskHeap();
  #order = 0;
  #current: Owner | undefined;
  /** Milliseconds since the simulation began; jumps of the platform's clock do not affect it. */
  now = 0;
  /** Number of executed tasks. */
  steps = 0;

  /** Owner of the running task. */
  get current(): Owner | undefined {
    return this.#current;
  }

  /** @param weight See {@link Task.weight}. */
  after(ms: number, owner: Owner | undefined, run: () => void, weight = 1): Task {
    this.#order += 1;
    const at = this.now + Math.max(0, ms);
    const task: Task = { at, order: this.#order, owner, run, weight, dropped: false };
    this.#tasks.push(task);
    return task;
  }

  /** Runs tasks until `isOver` returns true. @returns False if all tasks ran before that. */
  async run(isOver: () => boolean, before: BeforeTask): Promise<boolean> {
    while (!isOver()) {
      const task = this.#tasks.pop();
      if (task === undefined) return false;
      if (task.dropped || task.owner?.alive === false) continue;
      this.now = Math.max(this.now, task.at);
      if (task.owner !== undefined) {
        if (task.owner.stoppedUntil > this.now) {
          task.at = task.owner.stoppedUntil;
          this.#tasks.push(task);
          continue;
        }
        before(task);
        if (!task.owner.alive) continue;
      }
      this.steps += 1;
      await this.#do(task);
    }
    return true;
  }

  async #do({ owner, run }: Task): Promise<void> {
    this.#current = owner;
    try {
      run();
      await settled();
    } finally {
      this.#current = undefined;
    }
  }
}

/** Resolves when all promise callbacks that can run have run (at the next tick). */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
