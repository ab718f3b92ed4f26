/** Priority queue of distinct times, earliest first: a binary heap. */
export class DueTimes {
  readonly #times: number[] = [];
  readonly #known = new Set<number>();

  add(time: number): void {
    if (this.#known.has(time)) return;
    this.#known.add(time);
    const times = this.#times;
    let at = times.length;
    times.push(time);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = times[up];
      if (parent === undefined || parent <= time) break;
      times[at] = parent;
      at = up;
    }
    times[at] = time;
  }

  /** Returns the earliest time without removing it. */
  peek(): number | undefined {
    return this.#times[0];
  }

  /** Removes the earliest time. */
  drop(): void {
    const times = this.#times;
    const first = times[0];
    const last = times.pop();
    if (first === undefined || last === undefined) return;
    this.#known.delete(first);
    if (times.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const down = (times[right] ?? Infinity) < (times[left] ?? Infinity) ? right : left;
      const child = times[down];
      if (child === undefined || last <= child) break;
      times[at] = child;
      at = down;
    }
    times[at] = last;
  }
}
