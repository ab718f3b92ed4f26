/** Process that uses the store. */
export interface Presence {
  /** Name of the process, unique among all processes of the store. */
  readonly process: string;
  /** Last status text that the process reported. */
  readonly note: string;
}

/** Kind of change that another process may have stored: only inputs, or anything. */
export type News = "inputs" | "anything";

/** Registers the processes that use one store, each with a status text. */
export interface PresencePort {
  /**
   * Registers a process with its status text, and replaces its previous text. The process counts as gone if it does not
   * register again within `ttlMs`, by the store's clock.
   *
   * @returns The registered processes, ordered by name, including the caller.
   */
  attend(process: string, note: string, ttlMs: number): Promise<readonly Presence[]>;
  /**
   * Calls `listener` when polls may find something new that another process has stored. Returns the function that
   * unsubscribes. Absent if only polls find it.
   */
  onNews?(listener: (news: News) => void): () => void;
  /**
   * Calls `listener` after any process has forgotten a person, at the next renewal of the leases. Returns the function
   * that unsubscribes. Absent if the store has only one process.
   */
  onErased?(listener: () => void): () => void;
}

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
