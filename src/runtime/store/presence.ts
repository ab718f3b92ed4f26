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
}
