import type { Presence } from "./presence.ts";

/** In-memory registry of the parts of this process that use its store. Not stored: all parts end with the process. */
export class PresentProcesses {
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly note: string; readonly until: number }>();

  /** @param now Monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  attend(process: string, note: string, ttlMs: number): readonly Presence[] {
    const now = this.#now();
    this.#known.set(process, { note, until: now + ttlMs });
    for (const [name, { until }] of this.#known) if (until <= now) this.#known.delete(name);
    return [...this.#known]
      .map(([name, one]) => ({ process: name, note: one.note }))
      .toSorted((a, b) => (a.process < b.process ? -1 : 1));
  }
}
