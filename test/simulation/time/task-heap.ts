/** Owner of tasks, such as a bot. If it dies, its tasks are dropped; while it is suspended, they wait. */
export interface Owner {
  readonly name: string;
  readonly alive: boolean;
  /** Time until which the owner is suspended, in milliseconds of the simulation. */
  readonly stoppedUntil: number;
}

/** A pending task. */
export interface Task {
  at: number;
  /** Order among tasks of one time: the smaller number is first. */
  readonly order: number;
  readonly owner: Owner | undefined;
  readonly run: () => void;
  /** Factor of the probability that the owner crashes just before the task: 1 for polls, more for writes. */
  readonly weight: number;
  dropped: boolean;
}

/** Tasks, earliest first: a binary heap. */
export class TaskHeap {
  readonly #tasks: Task[] = [];

  push(task: Task): void {
    const tasks = this.#tasks;
    let at = tasks.length;
    tasks.push(task);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = tasks[up];
      if (parent === undefined || isBefore(parent, task)) break;
      tasks[at] = parent;
      at = up;
    }
    tasks[at] = task;
  }

  pop(): Task | undefined {
    const tasks = this.#tasks;
    const first = tasks[0];
    const last = tasks.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      let child = tasks[down];
      const right = tasks[down + 1];
      if (child === undefined) break;
      if (right !== undefined && isBefore(right, child)) {
        child = right;
        down += 1;
      }
      if (isBefore(last, child)) break;
      tasks[at] = child;
      at = down;
    }
    tasks[at] = last;
    return first;
  }
}

function isBefore(a: Task, b: Task): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
