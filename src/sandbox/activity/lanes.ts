import type { Sandbox } from "../kernel/sandbox.ts";

type Work = () => Promise<void>;

/**
 * Queues of deliveries: in order within a lane, lanes side by side.
 *
 * One set a sandbox; a lane that waits for a retry holds only itself up.
 */
export class Lanes {
  readonly #waiting = new Map<string, Work[]>();
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Puts work at the end of a lane. Its promise resolves when the next may start. */
  add(lane: string, work: Work): void {
    const queue = this.#waiting.get(lane);
    if (queue !== undefined) {
      queue.push(work);
      return;
    }
    this.#waiting.set(lane, [work]);
    void this.#drain(lane);
  }

  /** Forgets what waits, as a reset does. */
  clear(): void {
    this.#waiting.clear();
  }

  async #drain(lane: string): Promise<void> {
    const queue = this.#waiting.get(lane) ?? [];
    for (let work = queue[0]; work !== undefined; work = queue[0]) {
      await work().catch((error: unknown) =>
        this.#sandbox.feed.tell("fault", { message: String(error) }),
      );
      queue.shift();
    }
    if (this.#waiting.get(lane) === queue) this.#waiting.delete(lane);
  }
}

const lanesOf = new WeakMap<Sandbox, Lanes>();

/** The lanes of a sandbox. */
export function lanes(sandbox: Sandbox): Lanes {
  const found = lanesOf.get(sandbox) ?? new Lanes(sandbox);
  lanesOf.set(sandbox, found);
  return found;
}
