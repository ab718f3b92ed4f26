/** Queues of work, one for each lane (ordering key). Work of one lane runs in order; lanes run side by side. */
export interface Lanes {
  /** Runs `work` after all earlier work of `lane`. `work` handles its own errors and must not reject. */
  run(lane: string, work: () => Promise<void>): void;
  /** Keys of the lanes whose work is running or queued. */
  busy(): readonly string[];
  /** Resolves when no work is running or queued. */
  idle(): Promise<void>;
}

/**
 * Creates queues for any number of lanes.
 *
 * @param width Maximum number of lanes at work at once, 1 or more. A slow lane delays other lanes only while `width`
 *   lanes are at work.
 */
export function lanes(width: number): Lanes {
  const queues = new Map<string, (() => Promise<void>)[]>();
  const ready: string[] = [];
  const idlers: (() => void)[] = [];
  let active = 0;
  let size = 0;

  const start = (): void => {
    while (active < width) {
      const lane = ready.shift();
      if (lane === undefined) return;
      active += 1;
      void step(lane);
    }
  };

  const step = async (lane: string): Promise<void> => {
    const queue = queues.get(lane);
    const work = queue?.[0];
    try {
      await work?.();
    } finally {
      queue?.shift();
      active -= 1;
      size -= 1;
      if (queue === undefined || queue.length === 0) queues.delete(lane);
      else ready.push(lane);
      start();
      if (size === 0) for (const wake of idlers.splice(0)) wake();
    }
  };

  return {
    run(lane, work) {
      size += 1;
      const queue = queues.get(lane);
      if (queue !== undefined) {
        queue.push(work);
        return;
      }
      queues.set(lane, [work]);
      ready.push(lane);
      start();
    },
    busy: () => [...queues.keys()],
    idle: () => (size === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
}
